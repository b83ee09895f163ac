'use strict'

/* Tells of each page that the navigation leaves out. */

module.exports.register = function () {
  this.once('navigationBuilt', ({ contentCatalog, navigationCatalog }) => {
    const logger = this.getLogger('listed')
    const listed = new Set()
    const walk = (items) => items.forEach((item) => {
      if (item.url) listed.add(item.url.replace(/#.*/, ''))
      if (item.items) walk(item.items)
    })
    for (const { name, version } of contentCatalog.getComponents().flatMap((c) => c.versions.map((v) => ({ name: c.name, version: v.version })))) {
      walk(navigationCatalog.getNavigation(name, version) || [])
    }
    for (const page of contentCatalog.getPages((p) => p.out)) {
      if (!listed.has(page.pub.url)) logger.error({ file: page.src }, 'the page is not in nav.adoc: add it')
    }
  })
}
