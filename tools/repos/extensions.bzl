"""The module extension for tools that only tests need.

    test_tools = use_extension("//tools/repos:extensions.bzl", "test_tools")
    use_repo(test_tools, "bubblewrap", "buildbox", "buildgrid", "chromium", "lavapipe", "lavapipe_25", "nginx", "postgresql", "qemu_aarch64", "qemu_arm", "qemu_riscv64", "qemu_system_arm", "qemu_x86_64")
"""

load(":debian.bzl", "debian_tools")
load(":pip_packages.bzl", "pip_packages")

# Of a closure: what the host has anyway and must not be mixed with a second
# copy, and what no library is needed from.
_SKIP = r"^(libc6|libc-bin|libgcc-s1|libstdc\+\+6|gcc-.*-base|libcrypt1|zlib1g|dpkg|tar|debconf|perl.*|python.*|libpython.*|" + \
        r"media-types|libssl.*|libsqlite.*|libreadline.*|readline-common|libkrb5.*|libgssapi.*|libk5.*|libkeyutils.*|" + \
        r"libcom-err.*|libnsl.*|libtirpc.*|libdb5.*|libacl.*|libselinux.*|libpcre.*|libuuid.*|libncurses.*|.*-common)$"

# Of a program that runs in a process of its own: what it shares with every other.
_SKIP_WITH_LIBC = r"^(libc6|libgcc-s1|gcc-.*-base|dpkg|tar|debconf|perl.*|python.*|media-types|.*-common|.*-base|iproute2|libnginx-.*)$"

# Of a program that is started by the loader of its own C library.
_SKIP_NONE_OF_ITS_LIBRARIES = r"^(gcc-.*-base|dpkg|tar|debconf|perl.*|python.*|media-types|.*-common|.*-base)$"

_MESA = {
    "packages": ["mesa-vulkan-drivers", "libvulkan1"],
    "closure": True,
    "keep": r"(^usr/share/vulkan/|^(usr/)?lib(64)?/([^/]+/)?[^/]+\.so[^/]*$|/copyright$)",
}
_MESA_LIBRARIES = "{root}/mesa/root/usr/lib/vulkan"
_MESA_VARIABLES = {
    "VK_DRIVER_FILES": "{root}/mesa/root/usr/share/vulkan/icd.d/lvp_icd.json",
    "VK_ICD_FILENAMES": "{root}/mesa/root/usr/share/vulkan/icd.d/lvp_icd.json",
    "LP_NATIVE_VECTOR_WIDTH": "512",
    "GALLIVM_PERF": "nopt",
    "MESA_SHADER_CACHE_DISABLE": "true",
}

def _test_tools_impl(module_ctx):
    # Mesa's software Vulkan driver. A vector width of 512 gives it the
    # subgroup size 16 that programs for Mali are built for; nopt spares
    # LLVM's optimiser, which takes minutes on unrolled shaders. Mesa's cache on
    # disk is off: its key leaves the width out, so a shader made at another
    # width is used again and gives wrong numbers.
    debian_tools(
        name = "lavapipe",
        trees = {"mesa": json.encode(_MESA | {"skip": _SKIP})},
        finish = "lavapipe_finish.py",
        variables = _MESA_VARIABLES | {"LD_LIBRARY_PATH": _MESA_LIBRARIES},
    )

    # The newer one of Debian 13, 25.0 with LLVM 19: that of Debian 12, 22.3 with LLVM 15, crashes
    # on the programs of some models. It is for a later C library than the host's, which comes
    # with it: a program that uses it is started by that library's own loader.
    debian_tools(
        name = "lavapipe_25",
        trees = {"mesa": json.encode(_MESA | {"skip": _SKIP_NONE_OF_ITS_LIBRARIES, "suite": "trixie"})},
        finish = "lavapipe_finish.py",
        prefix = [_MESA_LIBRARIES + "/ld.so", "--library-path", _MESA_LIBRARIES],
        variables = _MESA_VARIABLES,
    )

    # An emulator of aarch64 programs with the libraries they are linked to.
    debian_tools(
        name = "qemu_aarch64",
        trees = {
            "qemu": json.encode({
                "packages": ["qemu-user-static"],
                "keep": r"(/qemu-aarch64-static$|/copyright$)",
            }),
            "sysroot": json.encode({
                "packages": ["libc6", "libstdc++6", "libgcc-s1"],
                "arch": "arm64",
                "keep": r"(^(usr/)?lib/(ld-|[^/]+/[^/]+\.so)|/copyright$)",
            }),
        },
        prefix = ["{root}/qemu/root/usr/bin/qemu-aarch64-static", "-L", "{root}/sysroot/root"],
    )

    # Emulators of static programs.
    for cpu in ["arm", "riscv64", "x86_64"]:
        debian_tools(
            name = "qemu_" + cpu,
            trees = {"qemu": json.encode({
                "packages": ["qemu-user-static"],
                "keep": r"(/qemu-%s-static$|/copyright$)" % cpu,
            })},
            prefix = ["{root}/qemu/root/usr/bin/qemu-%s-static" % cpu],
        )

    # An emulator of whole boards, for firmware.
    debian_tools(
        name = "qemu_system_arm",
        trees = {"qemu": json.encode({
            "packages": ["qemu-system-arm"],
            "closure": True,
            "skip": _SKIP_WITH_LIBC,
            "keep": r"(/bin/qemu-system-arm$|^(usr/)?lib/[^/]+/[^/]+\.so[^/]*$|/copyright$)",
        })},
        variables = {"LD_LIBRARY_PATH": ":".join([
            "{root}/qemu/root/%slib/%s-linux-gnu" % (usr, cpu)
            for usr in ["", "usr/"]
            for cpu in ["x86_64", "aarch64"]
        ])},
        prefix = ["{root}/qemu/root/usr/bin/qemu-system-arm"],
    )

    # A sandbox and a web server, for //tools/ci:cache_drill.
    for name, package in {"bubblewrap": "bubblewrap", "nginx": "nginx"}.items():
        debian_tools(
            name = name,
            trees = {name: json.encode({
                "packages": [package],
                "closure": True,
                "skip": _SKIP_WITH_LIBC,
                "keep": r"(/s?bin/(bwrap|nginx)$|^(usr/)?lib/[^/]+/[^/]+\.so[^/]*$|/copyright$)",
            })},
        )

    # A browser without a window, for the pages of the site.
    debian_tools(
        name = "chromium",
        trees = {"chromium": json.encode({
            "packages": ["chromium", "fonts-dejavu-core"],
            "closure": True,
            "skip": _SKIP_WITH_LIBC.replace(r".*-common|.*-base", r"debconf.*|adwaita.*|hicolor.*|xdg-.*|libllvm.*|libz3.*|mesa-.*|libgl1-mesa-dri"),
            "keep": r"(^usr/lib/chromium/|^(usr/)?lib/[^/]+/([^/]+/)?[^/]+\.so[^/]*$|^usr/share/fonts/|^(etc|usr/share)/fontconfig/|^etc/fonts/|/copyright$)",
        })},
        variables = {
            "FONTCONFIG_PATH": "{root}/chromium/root/etc/fonts",
            "XDG_DATA_HOME": "{root}/chromium/root/usr/share",
            "LD_LIBRARY_PATH": ":".join([
                "{root}/chromium/root/%slib/%s-linux-gnu%s" % (usr, cpu, more)
                for usr in ["", "usr/"]
                for cpu in ["x86_64", "aarch64"]
                for more in ["", "/pulseaudio", "/nss"]
            ]),
        },
        prefix = ["{root}/chromium/root/usr/lib/chromium/chromium"],
    )

    # A remote execution engine that others wrote, for the same: BuildGrid's server, its
    # database, and the worker. Debian has buildbox from forky on, for a later C library
    # than the host's, which therefore comes with it.
    pip_packages(
        name = "buildgrid",
        lock = Label("//tools/ci:buildgrid.lock"),
        optional = True,
        python = "3.11",
    )
    debian_tools(
        name = "postgresql",
        trees = {"postgresql": json.encode({
            "packages": ["postgresql"],
            "closure": True,
            "skip": _SKIP_WITH_LIBC + r"|^(libllvm.*|libz3.*|ssl-cert|openssl|locales|sysvinit-utils|util-linux.*|adduser|passwd|netbase)$",
            "keep": r"(^usr/(lib|share)/postgresql/|^(usr/)?lib/[^/]+/[^/]+\.so[^/]*$|/copyright$)",
        })},
    )
    debian_tools(
        name = "buildbox",
        trees = {"buildbox": json.encode({
            "packages": ["buildbox"],
            "closure": True,
            "keep": r"(^usr/bin/buildbox-|^usr/lib/[^/]+/[^/]+\.so[^/]*$|/copyright$)",
            "skip": r"^(gcc-.*-base|dpkg|tar|debconf|perl.*|mount|libc-gconv.*|openssl-provider.*|libsmartcols.*|libblkid.*|libmount.*|media-types|.*-common|.*-base)$",
            "suite": "sid",
        })},
    )
    return module_ctx.extension_metadata(reproducible = True)

test_tools = module_extension(
    implementation = _test_tools_impl,
    doc = "A software Vulkan driver, emulators for Arm and RISC-V, a sandbox, a web server and a remote execution engine, from the host's distribution and its Python index.",
)
