/** Origins are checked when they are set, by the rules that the edge connects by. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { TestControl } from './harness.ts';

test('edge.update refuses an origin that the edge would not connect to, and changes nothing', async (t) => {
  const listener = { address: '192.0.32.8', port: 443 };
  let control = await TestControl.open({ origins: { forbidden: [listener] } });
  t.after(() => control.close());
  const route = `/zones/${control.zone('free')}/edge`;
  const put = async (body: object): Promise<readonly unknown[]> => {
    const { errors } = await control.call(`PUT ${route}`, { body });
    return errors.map(({ code, source }) => [code, source?.pointer]);
  };
  deepEqual(await put({ origin: { url: 'http://10.0.0.1:3000' } }), [[11003, '/origin/url']]);
  deepEqual(await put({ origin: { url: 'http://a.example', connect_to: '169.254.169.254' } }), [
    [11004, '/origin/connect_to'],
  ]);
  // The port is that of the scheme.
  deepEqual(await put({ origin: { url: 'https://192.0.32.8' } }), [[11004, '/origin/url']]);
  deepEqual(await put({ origin: { url: 'http://192.0.32.8' } }), []);
  // An origin that was set before is not checked again.
  control = await control.restart({ origins: { forbidden: [{ ...listener, port: 80 }] } });
  deepEqual(await put({ over_inspection_limit: 'block' }), []);
  deepEqual(await put({ origin: { url: 'http://192.0.32.8' } }), [[11004, '/origin/url']]);
  const { result } = await control.call(`GET ${route}`);
  deepEqual([result.origin.url, result.over_inspection_limit], ['http://192.0.32.8', 'block']);
});
