'use strict'

/*
 * Follows each link of the site: node links.js SITE MODULES
 *
 * A link to a page or a place that is not there is a fault, and so is anything that a browser would fetch from
 * another host.
 */

const fs = require('node:fs')
const path = require('node:path')
const { createRequire } = require('node:module')

const [site, modules] = process.argv.slice(2).map((p) => path.resolve(p))
const load = createRequire(path.join(modules, 'x.js'))
const { Parser } = createRequire(load.resolve('@antora/lunr-extension'))('htmlparser2')

const pages = fs.readdirSync(site, { recursive: true }).filter((f) => f.endsWith('.html')).sort()
const read = new Map()
for (const page of pages) {
  const found = { ids: new Set(), links: [], fetched: [] }
  const parser = new Parser({
    onopentag (tag, a) {
      if (a.id) found.ids.add(a.id)
      if (tag === 'a' && a.href) found.links.push(a.href)
      for (const address of [a.src, tag === 'link' && a.href].filter(Boolean)) found.fetched.push(address)
    },
  })
  parser.end(fs.readFileSync(path.join(site, page), 'utf8'))
  read.set(page, found)
}

let faults = 0
const fault = (page, what) => {
  faults++
  console.error(`SITE_LINK: ${page}: ${what}`)
}

for (const [page, { links, fetched }] of read) {
  for (const address of fetched) {
    if (/^([a-z]+:)?\/\//i.test(address)) fault(page, `${address} is fetched from another host`)
    else if (!/^data:/.test(address) && !fs.existsSync(path.join(site, path.dirname(page), address))) fault(page, `${address} is not there`)
  }
  for (const link of links) {
    if (/^[a-z]+:/i.test(link)) continue
    const [file, fragment] = decodeURI(link).split('#')
    const to = file ? path.join(path.dirname(page), file) : page
    if (!fs.existsSync(path.join(site, to))) fault(page, `${link} leads to no page`)
    else if (fragment && read.has(to) && !read.get(to).ids.has(fragment)) fault(page, `${link} leads to no place of the page`)
  }
}
if (!pages.length) fault(site, 'there is no page')
console.log(`${pages.length} pages, ${[...read.values()].reduce((n, p) => n + p.links.length, 0)} links, ${faults} faults`)
process.exitCode = faults ? 1 : 0
