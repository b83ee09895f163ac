'use strict'

/*
 * Builds the site: node build.js DOCS UI OUT MODULES
 *
 * DOCS holds antora.yml and modules/, UI the look of the site, MODULES the packages of
 * package-lock.json. Antora reads content from git alone, so the files become the one commit of a
 * repository beside the output. A broken reference, a file that is not there, a page that the navigation
 * leaves out and a command that no test runs are errors, all of which are told.
 */

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { createRequire } = require('node:module')

const [docs, ui, out, modules] = process.argv.slice(2).map((p) => path.resolve(p))
const load = createRequire(path.join(modules, 'x.js'))
const git = createRequire(load.resolve('@antora/content-aggregator'))('isomorphic-git')

// When everything was made: nothing of the site may depend on today.
const THEN = 946684800
const WHO = { name: 'site', email: 'site@localhost', timestamp: THEN, timezoneOffset: 0 }

async function main () {
  const work = fs.mkdtempSync(path.join(path.dirname(out), 'site-'))
  try {
    const content = path.join(work, 'content')
    fs.cpSync(docs, content, { recursive: true, dereference: true })
    const look = path.join(work, 'ui')
    fs.cpSync(ui, look, { recursive: true, dereference: true })
    await git.init({ fs, dir: content, defaultBranch: 'main' })
    await git.add({ fs, dir: content, filepath: '.' })
    await git.commit({ fs, dir: content, message: 'pages', author: WHO, committer: WHO })

    const playbook = {
      site: { title: 'SKaiNET for Go', start_page: 'skainet::index.adoc', keys: {} },
      content: { sources: [{ url: content, branches: 'HEAD' }] },
      ui: { bundle: { url: look }, output_dir: '_' },
      output: { dir: out, clean: true },
      runtime: { cache_dir: path.join(work, 'cache'), fetch: false, log: { level: 'warn', failure_level: 'warn', format: 'json' } },
      urls: { html_extension_style: 'default' },
      asciidoc: {
        attributes: { 'attribute-missing': 'skip', 'source-highlighter': 'build', idprefix: '_', 'page-pagination': '', sectanchors: false },
        sourcemap: true,
        extensions: [path.join(__dirname, 'highlight.js'), path.join(__dirname, 'tested.js')],
      },
      antora: { extensions: [load.resolve('@antora/lunr-extension'), { require: path.join(__dirname, 'listed.js') }] },
    }
    const playbookFile = path.join(work, 'playbook.json')
    fs.writeFileSync(playbookFile, JSON.stringify(playbook, null, 1))
    const done = spawnSync(process.execPath, [path.join(modules, '@antora/cli/bin/antora'), playbookFile], {
      cwd: work,
      encoding: 'utf8',
      env: { ...process.env, HOME: work, SITE_MODULES: modules },
    })
    if (done.error) throw done.error
    process.exitCode = done.status === 0 ? 0 : 1
    for (const line of (done.stdout + done.stderr).split('\n').filter(Boolean)) {
      let said
      try {
        said = JSON.parse(line)
      } catch {
        said = { level: 'error', msg: line }
      }
      if (said.level === 'info' || said.level === 'debug') continue
      const where = said.file && said.file.path ? path.relative(content, said.file.path) : 'site'
      process.stderr.write(`SITE_FAULT: docs/${where}${said.file && said.file.line ? ':' + said.file.line : ''}: ${said.msg}\n`)
    }
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

main().catch((e) => {
  process.stderr.write(`SITE_FAULT: site: ${e.stack}\n`)
  process.exitCode = 1
})
