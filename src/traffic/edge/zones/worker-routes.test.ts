import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { WorkerRoutes } from './worker-routes.ts';

test('WorkerRoutes finds the most specific route, whatever the order', () => {
  const routes = [
    { host: '*example.com', path: '/*', worker: 'any' },
    { host: '*.example.com', path: '/*', worker: 'below' },
    { host: '*.api.example.com', path: '/*', worker: 'below-api' },
    { host: 'example.com', path: '/*', worker: 'all' },
    { host: 'example.com', path: '/a/*', worker: 'a' },
    { host: 'example.com', path: '/a/b*', worker: 'ab' },
    { host: 'example.com', path: '/a/', worker: 'whole' },
    { host: 'example.com', path: '/none/*', worker: null },
    { host: 'only.example.com', path: '/x', worker: 'only' },
  ];
  const asked: [host: string, path: string, worker: string | null | undefined][] = [
    ['example.com', '/', 'all'],
    ['example.com', '/a/', 'whole'],
    ['example.com', '/a/c', 'a'],
    ['example.com', '/a/bc', 'ab'],
    ['example.com', '/none/x', null],
    ['example.com', '/none', 'all'],
    ['www.example.com', '/a/', 'below'],
    ['x.api.example.com', '/', 'below-api'],
    ['api.example.com', '/', 'below'],
    ['myexample.com', '/', 'any'],
    ['only.example.com', '/x', 'only'],
    ['only.example.com', '/y', 'below'],
    ['example.org', '/', undefined],
  ];
  for (const table of [new WorkerRoutes(routes), new WorkerRoutes(routes.toReversed())]) {
    const found = asked.map(([host, path]) => {
      const origin = table.find(host, path);
      return [host, path, origin?.worker ?? origin];
    });
    deepEqual(found, asked);
  }
});

test('WorkerRoutes keeps the origins that it had: connections are found by them', () => {
  const before = new WorkerRoutes([{ host: 'a.example', path: '/*', worker: 'one' }]);
  const after = new WorkerRoutes(
    [
      { host: 'a.example', path: '/*', worker: 'one' },
      { host: 'b.example', path: '/*', worker: 'two' },
    ],
    before,
  );
  equal(after.find('a.example', '/'), before.find('a.example', '/'));
});

test('WorkerRoutes looks as often with a thousand routes as with ten', () => {
  const count = (routes: number): number => {
    const table = new WorkerRoutes(
      Array.from({ length: routes }, (_, index) => ({
        host: 'a.example',
        path: `/${String(index).padStart(4, '0')}/*`,
        worker: 'one',
      })),
    );
    let slices = 0;
    const path = new Proxy<object>(Object('/9999/x'), {
      get(target, key) {
        if (key === 'slice') slices++;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    table.find('a.example', path as unknown as string);
    return slices;
  };
  equal(count(1_000), count(10));
});
