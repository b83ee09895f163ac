"""llama.cpp as a contestant of the benchmark of language models, through xllamacpp.

    llama_cpp_contestant.py MODEL.gguf THREADS

The protocol is that of bench/text/contestant. Times are llama.cpp's own: of the prompt,
and of the steps behind the first token.
"""

import json
import os
import sys

import xllamacpp


def main():
    path, threads = sys.argv[1], int(sys.argv[2])
    # What the library prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = 2304  # a prompt that fills the window of 2048, and its token
    params.n_parallel = 1
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.warmup = True
    server = xllamacpp.Server(params)

    def send(answer):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    send({"version": "llama.cpp, xllamacpp %s" % xllamacpp.__version__})
    for line in sys.stdin:
        question = json.loads(line)
        result = server.handle_completions({
            "prompt": question["prompt"], "n_predict": question["tokens"], "temperature": 0, "top_k": 1,
            "cache_prompt": False, "ignore_eos": True,
        })
        if not isinstance(result, dict):
            result = json.loads(result)
        times = result["timings"]
        if (times["prompt_n"], times["predicted_n"]) != (len(question["prompt"]), question["tokens"]):
            sys.exit("asked for %d tokens after %d: %s" % (question["tokens"], len(question["prompt"]), times))
        send({"first_seconds": times["prompt_ms"] / 1000, "rest_seconds": times["predicted_ms"] / 1000})


if __name__ == "__main__":
    main()
