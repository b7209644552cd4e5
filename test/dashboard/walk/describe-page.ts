/**
 * The contents of a page's picture, as text: each box with its position, size, colours and words, and the drawings on
 * canvases. Two pages with the same description look the same; and unlike pixels, which depend on the processor, it is
 * the same on every machine that has this Chromium and these fonts. Runs in the page.
 */
import type { Page } from 'playwright-core';

/** Ids and ports are different in each run. They are replaced in the page, before anything is measured. */
const chance: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{16}(?:[0-9a-f]{16}){0,3}\b/g, '0000000000000000'],
  [/\b[0-9a-f]{7,15}…/g, '0000000…'],
  [/\b0000000000000000-[A-Z]{4}\b/g, '0000000000000000-HOST'],
  [/\b127\.0\.0\.1:\d+/g, '127.0.0.1:8080'],
];

export async function describePage(page: Page): Promise<string> {
  await page.evaluate(
    replaceTexts,
    chance.map(([pattern, by]) => [pattern.source, by] as [string, string]),
  );
  const description = await page.evaluate(describe);
  // The contents of fields are not text of the page.
  return chance.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), description);
}

/** Installed before the page loads: records the drawing operations on each canvas since it was last cleared. */
export function recordDrawings(): void {
  const { CanvasRenderingContext2D, Path2D } = globalThis as any;
  const drawn = new WeakMap<object, string[]>();
  (globalThis as any).drawingOf = (canvas: object): readonly string[] => drawn.get(canvas) ?? [];
  const round = (value: unknown): unknown => (typeof value === 'number' ? Math.round(value) : value);
  const paths = new WeakMap<object, string[]>();
  for (const name of ['moveTo', 'lineTo', 'rect', 'arc', 'closePath']) {
    const original = Path2D.prototype[name];
    Path2D.prototype[name] = function note(...args: unknown[]) {
      const steps = paths.get(this) ?? [];
      paths.set(this, steps);
      steps.push(`${name} ${args.map(round).join(' ')}`);
      return original.apply(this, args);
    };
  }
  const write = (context: any, line: string): void => {
    const lines = drawn.get(context.canvas) ?? [];
    drawn.set(context.canvas, lines);
    lines.push(line);
  };
  for (const name of ['fill', 'stroke', 'fillText', 'fillRect', 'clearRect'] as const) {
    const original = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function note(...args: unknown[]) {
      if (name === 'clearRect') drawn.set(this.canvas, []);
      const words = args.map((each) =>
        typeof each === 'object' && each !== null ? (paths.get(each) ?? []).join(',') : round(each),
      );
      const style = name === 'stroke' ? this.strokeStyle : this.fillStyle;
      if (name !== 'clearRect') write(this, `${name} ${style} ${words.join(' ')}`);
      return original.apply(this, args);
    };
  }
}

function replaceTexts(replaced: readonly (readonly [string, string])[]): void {
  const { document, NodeFilter } = globalThis as any;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    let text: string = node.data;
    for (const [pattern, by] of replaced) text = text.replaceAll(new RegExp(pattern, 'g'), by);
    if (text !== node.data) node.data = text;
  }
}

function describe(): string {
  const { document, getComputedStyle, scrollX, scrollY, drawingOf } = globalThis as any;
  const lines: string[] = [];
  for (const element of document.body.querySelectorAll('*')) {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (box.width < 2 || box.height < 2 || style.visibility === 'hidden') continue;
    const own = [...element.childNodes]
      .filter((node: any) => node.nodeType === 3)
      .map((node: any) => node.data.trim())
      .join(' ');
    const text = element.matches('input, select, textarea') ? `${element.value}|${element.placeholder}` : own;
    const place = [box.x + scrollX, box.y + scrollY, box.width, box.height].map(Math.round).join(' ');
    const look = [
      style.backgroundColor,
      style.borderTopWidth === '0px' ? '' : `${style.borderTopWidth} ${style.borderTopColor}`,
      style.borderRadius,
      text === '' ? '' : `${style.color} ${style.fontSize} ${style.fontWeight}`,
    ];
    lines.push(`${element.tagName.toLowerCase()} ${place} | ${look.join(' | ')} | ${text}`);
    if (element.tagName === 'CANVAS') lines.push(...drawingOf(element));
  }
  return `${lines.join('\n')}\n`;
}
