"""What a message of a rule must have, and must not."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def expect_messages(env, texts):
    """Expects the analysis of the target under test to fail with a message.

    Args:
      env: of an analysistest with expect_failure.
      texts: what the message has in it. Labels of the main repository are spelt as one
        writes them, without the @@ of str().
    """
    for text in texts:
        asserts.expect_failure(env, text)
    for cause in analysistest.target_under_test(env)[AnalysisFailureInfo].causes.to_list():
        asserts.false(env, "@@//" in cause.message, cause.message)
