'use strict'

const path = require('node:path').posix

// The address of a page of the site, from the page that is being written.
module.exports = (to, { data: { root } }) => {
  if (!to || to[0] !== '/') return to
  const from = root.page.url
  if (!from) return (root.site.path || '') + to
  const [page, fragment] = to.split('#')
  const relative = path.relative(path.dirname(from), page) || path.basename(page)
  return fragment === undefined ? relative : relative + '#' + fragment
}
