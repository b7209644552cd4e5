/** Origins are checked when they are set, by the rules that the edge connects by. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { TestControl } from './harness.ts';

test('edge.update refuses an origin that the edge would not connect to, and changes nothing', async (t) => {
  const asked: unknown[] = [];
  const control = await TestControl.open({
    checkOrigin: (host, port) => {
      asked.push([host, port]);
      return host === '10.0.0.1' ? 'private' : host === '169.254.169.254' ? 'forbidden' : undefined;
    },
  });
  t.after(() => control.close());
  const route = `PUT /zones/${control.zone('free')}/edge`;
  const put = async (body: object): Promise<readonly unknown[]> => {
    const { errors } = await control.call(route, { body });
    return errors.map(({ code, source }) => [code, source?.pointer]);
  };
  deepEqual(await put({ origin: { url: 'https://app.example' } }), []);
  deepEqual(await put({ origin: { url: 'http://10.0.0.1:3000' } }), [[11003, '/origin/url']]);
  deepEqual(await put({ origin: { url: 'http://a.example', connect_to: '169.254.169.254' } }), [
    [11004, '/origin/connect_to'],
  ]);
  // An origin that was set before is not asked for again.
  deepEqual(await put({ over_inspection_limit: 'block' }), []);
  deepEqual(asked, [
    ['app.example', 443],
    ['10.0.0.1', 3000],
    ['169.254.169.254', 80],
  ]);
  const { result } = await control.call(`GET /zones/${control.zone('free')}/edge`);
  equal(result.origin.url, 'https://app.example');
});
