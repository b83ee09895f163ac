'use strict'

/* Colours code while the site is built, so that no script has to in the browser. */

const path = require('node:path')
const { createRequire } = require('node:module')

const load = createRequire(path.join(process.env.SITE_MODULES, 'x.js'))
const hljs = load('highlight.js')
const asciidoctor = createRequire(load.resolve('@antora/asciidoc-loader'))('@asciidoctor/core')()

const ALIASES = { starlark: 'python', console: 'shell', mlir: 'llvm', asm: 'x86asm', csv: 'plaintext', text: 'plaintext' }

asciidoctor.SyntaxHighlighter.register('build', {
  handlesHighlighting: () => true,
  highlight (node, source, lang) {
    const language = ALIASES[lang] || lang
    if (!hljs.getLanguage(language)) return source.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
    return hljs.highlight(source, { language, ignoreIllegals: true }).value
  },
  format (node, lang) {
    return `<pre><code class="language-${lang || 'none'}" data-lang="${lang || ''}">${node.getContent()}</code></pre>`
  },
})

module.exports.register = (registry) => registry
