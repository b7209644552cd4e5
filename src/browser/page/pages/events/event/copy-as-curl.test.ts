import { execFileSync } from 'node:child_process';
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { copyAsCurl } from './copy-as-curl.ts';

const sent = {
  clientRequestScheme: 'https',
  clientRequestHTTPHost: 'shop.example',
  clientRequestPath: '/a/../b',
  clientRequestQuery: "?q='$(id)`id`",
  userAgent: 'it’s "me"',
};

test('copyAsCurl writes a command whose words a shell takes as they were sent', () => {
  const command = copyAsCurl({ ...sent, clientRequestHTTPMethodName: 'POST' });
  const words = execFileSync('sh', ['-c', `for word in ${command}; do printf '%s\\n' "$word"; done`], {
    encoding: 'utf8',
  });
  deepEqual(words.trimEnd().split('\n'), [
    ...['curl', '--path-as-is', '--globoff', '-X', 'POST', '-A', 'it’s "me"'],
    "https://shop.example/a/../b?q='$(id)`id`",
  ]);
});

test('copyAsCurl leaves out what curl does by itself', () => {
  equal(
    copyAsCurl({ ...sent, clientRequestHTTPMethodName: 'GET', userAgent: '', clientRequestQuery: '' }),
    "curl --path-as-is --globoff 'https://shop.example/a/../b'",
  );
});
