import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { ModulesAhead } from './modules-ahead.ts';

test('ModulesAhead has each module transformed once, in the order of imports, and leaves failures to who asks', async () => {
  const graph: Readonly<Record<string, readonly string[]>> = {
    '/test/a.ts': ['/src/main.ts', 'node:fs', '/node_modules/vitest/dist/index.js', '/broken.ts'],
    '/src/main.ts': ['/test/a.ts', '/src/part.ts'],
    '/src/part.ts': [],
  };
  const asked: string[] = [];
  const ahead = new ModulesAhead({
    async transformRequest(url) {
      asked.push(url);
      const deps = graph[url];
      if (deps === undefined) throw new Error(`${url} cannot be read`);
      return { code: '', map: null, deps: [...deps] };
    },
  });
  await ahead.transform(['/test/a.ts', '/src/main.ts']);
  deepEqual(asked, ['/test/a.ts', '/src/main.ts', '/src/part.ts', '/broken.ts']);
});
