import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { splitMultipart } from './multipart.ts';

test('splitMultipart looks for the end of a line once, however many delimiters the line contains', () => {
  for (const unit of ['--b', 'x--b', '--b ']) {
    const body = Buffer.from(unit.repeat(10_000));
    let searches = 0;
    const find = body.indexOf.bind(body);
    Object.assign(body, {
      indexOf(text: string, from: number, encoding?: BufferEncoding): number {
        if (text === '\n') searches++;
        return find(text, from, encoding ?? 'utf8');
      },
    });
    equal(splitMultipart(body, 'b', { partsMax: 100 }).flaws.has('unmatched-boundary'), true);
    equal(searches, 1, unit);
  }
});
