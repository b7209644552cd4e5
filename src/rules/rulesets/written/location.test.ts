import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { addQuery, leadsBack, writeLocation } from './location.ts';

test('writeLocation writes nothing that could end a line or leave the web', () => {
  for (let code = 0; code < 256; code++) {
    const written = writeLocation(`https://a.example/${String.fromCharCode(code)}`)!;
    equal(/^[!-~]+$/.test(written), true, String(code));
  }
  equal(writeLocation('https://a.example/%41 b'), 'https://a.example/%41%20b');
  equal(writeLocation('/a?b#c'), '/a?b#c');
  equal(writeLocation(`/${'x'.repeat(17_000)}`), undefined);
  for (const target of ['', 'a', '//a', 'ftp://a/', 'https://', 'https:///a', 'https://a b/', 'https://u@a/'])
    equal(writeLocation(target), undefined, target);
});

test('addQuery puts the query behind that of the target, and before its fragment', () => {
  equal(addQuery('/a', ''), '/a');
  equal(addQuery('/a#b', 'c=1'), '/a?c=1#b');
  equal(addQuery('/a?d#b', 'c=1'), '/a?d&c=1#b');
});

test('leadsBack compares URLs as browsers do', () => {
  const asked = { isSecure: false, host: 'A.example', uri: '/b?c' };
  equal(leadsBack('http://a.example:80/b?c#d', asked), true);
  equal(leadsBack('/b?c', asked), true);
  for (const other of ['https://a.example/b?c', 'http://a.example:81/b?c', 'http://b.example/b?c', '/b'])
    equal(leadsBack(other, asked), false, other);
  equal(leadsBack('https://a.example/', { isSecure: true, host: 'a.example:443', uri: '/' }), true);
  equal(leadsBack('https://a.example', { isSecure: true, host: 'a.example', uri: '/' }), true);
});
