"""Checks on the messages of rules."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def expect_messages(env, texts):
    """Expects the analysis of the target under test to fail with a message.

    Args:
      env: of an analysistest with expect_failure.
      texts: substrings of the message. Labels of the main repository are spelt
        as written, without the @@ of str().
    """
    for text in texts:
        asserts.expect_failure(env, text)
    for cause in analysistest.target_under_test(env)[AnalysisFailureInfo].causes.to_list():
        asserts.false(env, "@@//" in cause.message, cause.message)
