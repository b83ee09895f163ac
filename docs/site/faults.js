'use strict'

/*
 * Each fault of a page fails the site, and is told with its file: node faults.js BUILD UI MODULES
 *
 * BUILD is build.js; UI and MODULES are its arguments.
 */

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const [build, ui, modules] = process.argv.slice(2).map((p) => path.resolve(p))

const block = (attributes) => `[source,console${attributes}]\n----\n$ true\n----\n`

// The second page, and what is said of it; '' for a site without a fault.
const CASES = {
  'a good page': [block(',run=x') + block(',sketch="it needs a board"'), ''],
  'a command without a test': [block(''), 'second.adoc:4: a block of console needs one of run, test, file, sketch, and has 0'],
  'two ways': [block(',run=x,sketch="y"'), 'second.adoc:4: a block of console needs one of run, test, file, sketch, and has 2'],
  'Go without a file': ['[source,go]\n----\nx := 1\n----\n', 'second.adoc:4: a block of go needs one of'],
  'a broken reference': ['xref:none.adoc[None]\n', 'second.adoc:3: target of xref not found: none.adoc'],
  'a missing include': ['include::example$none.txt[]\n', 'second.adoc:3: target of include not found: example$none.txt'],
  'a page that is not listed': ['', 'second.adoc: the page is not in nav.adoc: add it', true],
}

let faults = 0
const folder = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR || os.tmpdir(), 'faults-'))
try {
  for (const [name, [text, want, unlisted]] of Object.entries(CASES)) {
    const docs = path.join(folder, 'docs')
    fs.rmSync(docs, { recursive: true, force: true })
    fs.mkdirSync(path.join(docs, 'modules/ROOT/pages'), { recursive: true })
    fs.writeFileSync(path.join(docs, 'antora.yml'), 'name: skainet\ntitle: Test\nversion: ~\nnav:\n- modules/ROOT/nav.adoc\n')
    fs.writeFileSync(path.join(docs, 'modules/ROOT/nav.adoc'), `* xref:index.adoc[First]\n${unlisted ? '' : '* xref:second.adoc[Second]\n'}`)
    fs.writeFileSync(path.join(docs, 'modules/ROOT/pages/index.adoc'), '= First\n\nText.\n')
    fs.writeFileSync(path.join(docs, 'modules/ROOT/pages/second.adoc'), `= Second\n\n${text}`)
    const out = path.join(folder, 'out')
    const done = spawnSync(process.execPath, [build, docs, ui, out, modules], { encoding: 'utf8' })
    const page = path.join(out, 'skainet/second.html')
    const good = want
      ? done.status === 1 && done.stderr.includes(`SITE_FAULT: docs/modules/ROOT/pages/${want}`)
      : done.status === 0 && fs.readFileSync(page, 'utf8').includes('Not tested: it needs a board.')
    if (good) continue
    faults++
    console.error(`${name}: status ${done.status}, want ${want || 'no fault'}:\n${done.stdout}${done.stderr}`)
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
console.log(`${Object.keys(CASES).length} cases, ${faults} wrong`)
process.exitCode = faults ? 1 : 0
