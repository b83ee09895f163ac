'use strict'

/*
 * Tells of each block of commands or of Go that no test has, and shows below a sketch why it has none.
 * The package docs/blocks says what the attributes mean, and its tests that they are true.
 */

const LANGUAGES = ['console', 'sh', 'bash', 'go']
const WAYS = ['run', 'test', 'file', 'sketch']

module.exports.register = (registry) => {
  registry.treeProcessor(function () {
    this.process((doc) => {
      for (const block of doc.findBy({ context: 'listing' })) {
        if (block.getStyle() !== 'source' || !LANGUAGES.includes(block.getAttribute('language'))) continue
        const ways = WAYS.filter((way) => block.getAttribute(way, undefined, false))
        if (ways.length !== 1) {
          doc.getLogger().error(doc.createLogMessage(
            `a block of ${block.getAttribute('language')} needs one of ${WAYS.join(', ')}, and has ${ways.length}: run it in a test, or say with sketch="..." why none can`,
            { source_location: block.getSourceLocation() }
          ))
        }
        const reason = block.getAttribute('sketch', undefined, false)
        if (!reason) continue
        const siblings = block.getParent().getBlocks()
        siblings.splice(siblings.indexOf(block) + 1, 0, this.createBlock(block.getParent(), 'paragraph', `Not tested: ${reason}.`, { role: 'sketch' }))
      }
      return doc
    })
  })
  return registry
}
