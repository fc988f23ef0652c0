// List of the endpoints beside the API reference, which marks the one that is read.

/** Shows the filter and the list; on a phone, the list is a menu. */
export function Sidebar({ React, specSelectors, layoutSelectors, layoutActions }) {
  const { createElement, useEffect, useRef, useState } = React
  const [current, setCurrent] = useState()
  const side = useRef(null)
  useEffect(() => watchPosition(setCurrent), [])
  useEffect(() => showLink(side.current?.querySelector(':scope > nav')), [current])

  const isFiltered = typeof layoutSelectors.currentFilter() === 'string'
  const tags = specSelectors.taggedOperations()
  const count = tags.reduce((sum, tag) => sum + tag.get('operations').size, 0)

  function renderLink(tag, operation) {
    const id = operation.getIn(['operation', 'operationId'])
    return createElement(
      'li',
      { key: id },
      createElement(
        'a',
        {
          href: `#/${encodeURIComponent(tag)}/${id}`,
          'aria-current': blockId(tag, id) === current ? 'true' : undefined,
          onClick(event) {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            event.currentTarget.closest('details')?.removeAttribute('open')
            openOperation(layoutActions, tag, id)
          },
        },
        createElement('span', { className: 'api-method' }, operation.get('method').toUpperCase()),
        ' ',
        operation.getIn(['operation', 'summary']),
      ),
    )
  }

  function renderList(label) {
    const groups = tags.entrySeq().map(([tag, value]) =>
      createElement(
        'div',
        { key: tag },
        createElement('p', { className: 'guides-group' }, tag),
        createElement(
          'ul',
          null,
          value.get('operations').map((operation) => renderLink(tag, operation)),
        ),
      ),
    )
    return createElement(
      'nav',
      { 'aria-label': label },
      createElement('div', { className: 'guides-list' }, groups),
    )
  }

  return createElement(
    'div',
    { className: 'guides-side', ref: side },
    createElement(
      'div',
      { className: 'field' },
      createElement('label', { htmlFor: 'api-filter' }, 'Filter endpoints'),
      createElement('input', {
        className: 'input',
        id: 'api-filter',
        type: 'search',
        autoComplete: 'off',
        placeholder: 'Path, method or word',
        // Swagger UI shows everything for `true`.
        onInput: ({ target }) => layoutActions.updateFilter(target.value.trim() || true),
      }),
      createElement(
        'p',
        { className: 'field-note', role: 'status' },
        isFiltered && (count === 1 ? '1 endpoint' : `${count} endpoints`),
      ),
    ),
    createElement(
      'details',
      { className: 'guides-menu' },
      createElement('summary', null, 'All endpoints'),
      renderList('All endpoints'),
    ),
    renderList('Endpoints'),
  )
}

/** Returns the id that Swagger UI gives to the block of an operation. */
function blockId(tag, id) {
  return CSS.escape(`operations-${tag}-${id}`.replaceAll(/\s/g, '_'))
}

/** Opens an operation, and moves the focus to it. */
function openOperation(layoutActions, tag, id) {
  function focus() {
    const block = document.getElementById(blockId(tag, id))
    block?.querySelector('.opblock-summary-control')?.focus({ preventScroll: true })
    return block
  }
  const block = focus()
  if (block !== null) {
    layoutActions.show(['operations', tag, id], true)
    block.scrollIntoView()
    return
  }
  // Swagger UI has rendered only operations that are near. It scrolls to the others, which renders them.
  const observer = new MutationObserver(() => focus() && observer.disconnect())
  observer.observe(document.querySelector('#api'), { childList: true, subtree: true })
  layoutActions.parseDeepLinkHash(`#/${tag}/${id}`)
}

/** Calls back with the id of the operation at the top of the screen, whenever it changes. */
function watchPosition(onChange) {
  let isPlanned = false
  function read() {
    isPlanned = false
    const blocks = [...document.querySelectorAll('#api .opblock')]
    const [first] = blocks
    if (first === undefined) return
    const top = Number.parseFloat(getComputedStyle(first).scrollMarginTop) + 1
    const block = blocks.find((one) => one.getBoundingClientRect().bottom > top)
    const isRead = block !== undefined && block.getBoundingClientRect().top < innerHeight / 2
    onChange(isRead ? block.id : undefined)
  }
  function plan() {
    if (!isPlanned) requestAnimationFrame(read)
    isPlanned = true
  }
  addEventListener('scroll', plan, { passive: true })
  return () => removeEventListener('scroll', plan)
}

/** Scrolls the list to the marked link, and leaves the page where it is. */
function showLink(list) {
  const link = list?.querySelector('[aria-current]')
  if (!link) return
  const [inner, outer] = [link.getBoundingClientRect(), list.getBoundingClientRect()]
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return
  list.scrollTop += inner.top - outer.top - outer.height / 2
}
