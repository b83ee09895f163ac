"""The Go SDKs this workspace may build with, as the Go project publishes them for its module proxy.

`sum` is what the Go checksum database lists for the module golang.org/toolchain; `sha256` is of the same zip.
"""

GO_SDKS = {
    "1.26.8": {
        "darwin_amd64": struct(
            sum = "h1:7/9KPPN8PckcA9s91hm2jmQMhzW4KyTJXHIs45L0C9M=",
            sha256 = "fe99a2009e5bb51e06d7784f1a486478673512041c2671157bd382806e2aedcf",
        ),
        "darwin_arm64": struct(
            sum = "h1:dFjGhY6f8DTsY8/rLchUTDRRfjJP4pCrGCwxvHFT2Fg=",
            sha256 = "0aad5fb52b88498885290178adc0bcfe429bc63012621af9f83282eb640bd9c7",
        ),
        "linux_amd64": struct(
            sum = "h1:ZOmGe1OnfREDMIdb1Qi4G9JSuDPBLGExZMQ4nis1RXM=",
            sha256 = "30c2b1bf7dcc88d3eb0a1364e47ddd9128edb3110a30e8a0ef61cd5856b31de7",
        ),
        "linux_arm64": struct(
            sum = "h1:sYL/O6MqS68ML0kjsQ36WoYIpJqkw60TxizWUYUKQMc=",
            sha256 = "02b36b6787b3ac767668f630e2998df45a3b1f9ffee08d1bf3ef6487cd658d99",
        ),
    },
}
