/** Finds truncated names and controls of a page at the width of its window. Runs in the page. */

/** The faults in words; none if all names and controls are legible. */
export function measureNames(): readonly string[] {
  const { document, getComputedStyle, innerWidth } = globalThis as any;
  const lettersMin = 20;
  const faults = new Set<string>();
  const canvas = document.createElement('canvas').getContext('2d');
  const isShown = (element: any): boolean =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('.visually-hidden, .skip-link, .table-cards thead') === null;

  /** The horizontal range in which the contents of an element are visible, without scrolling sideways. */
  const findSight = (element: any): readonly [left: number, right: number] => {
    let [left, right] = [0, innerWidth];
    for (let each = element; each !== null; each = each.parentElement) {
      if (getComputedStyle(each).overflowX === 'visible') continue;
      const box = each.getBoundingClientRect();
      left = Math.max(left, box.left);
      right = Math.min(right, box.right);
    }
    return [left, right];
  };

  /** The width available to a line of text in its block. */
  const measureRoom = (element: any): number => {
    let block = element;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement;
    const { paddingLeft, paddingRight } = getComputedStyle(block);
    const box = block.getBoundingClientRect();
    const [left, right] = findSight(block);
    const [start, end] = [
      box.left + Number.parseFloat(paddingLeft),
      box.right - Number.parseFloat(paddingRight),
    ];
    return Math.min(end, right) - Math.max(start, left);
  };

  /** The first element of a row with its own text, which identifies the row. */
  const findName = (row: any): any =>
    [...row.querySelectorAll('*')].find(
      (element: any) =>
        isShown(element) &&
        !element.matches(
          '.rules-handle, .rules-handle *, .rules-position, td.number, td.number *, option, .pill',
        ) &&
        [...element.childNodes].some((node: any) => node.nodeType === 3 && node.data.trim() !== ''),
    );

  const rows = document.querySelectorAll(
    'main :is(.table tbody tr:not(.table-details), .rules-row, .virtual-list li)',
  );
  for (const row of rows) {
    const name = isShown(row) ? findName(row) : undefined;
    if (name === undefined) continue;
    const { font } = getComputedStyle(name);
    const text = name.textContent.trim().replaceAll(/\s+/g, ' ');
    canvas.font = font;
    const needed = canvas.measureText([...text].slice(0, lettersMin).join('')).width;
    const room = measureRoom(name);
    if (room + 1 < needed)
      faults.add(`“${text.slice(0, 30)}” has ${Math.round(room)} of ${Math.round(needed)} pixels`);
    if (row.matches('.rules-row') && row.scrollHeight > row.clientHeight + 1)
      faults.add(`“${text.slice(0, 30)}” is ${row.scrollHeight} pixels high in ${row.clientHeight}`);
  }

  for (const control of document.querySelectorAll('main :is(button, a, input, select, textarea)')) {
    if (!isShown(control) || control.closest('.cm-editor') !== null) continue;
    const [left, right] = findSight(control.parentElement);
    const { paddingLeft, paddingRight } = getComputedStyle(control);
    const [before, after] = [Number.parseFloat(paddingLeft), Number.parseFloat(paddingRight)];
    for (const box of control.getClientRects()) {
      if (box.left + before + 1 >= left && box.right - after - 1 <= right) continue;
      const label = control.getAttribute('aria-label') ?? control.textContent.trim();
      faults.add(
        `the control “${label.slice(0, 40)}” is cut: ${Math.round(box.left)} to ${Math.round(box.right)} of ${Math.round(left)} to ${Math.round(right)}`,
      );
    }
  }

  // Rows of users' own tables may have any number of columns.
  for (const table of document.querySelectorAll('main .table-frame:not(.objects-rows)'))
    if (isShown(table) && table.scrollWidth > table.clientWidth)
      faults.add(
        `the table “${table.getAttribute('aria-label')}” is ${table.scrollWidth} pixels wide in ${table.clientWidth}`,
      );
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.add(`the page is ${wide} pixels wider than the window`);
  return [...faults];
}
