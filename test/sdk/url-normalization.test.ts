import { deepEqual, equal } from 'node:assert/strict';
import { drive } from './session.ts';

drive(['urlNormalization'], {
  'urlNormalization.get, update and delete': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    const initial = await client.urlNormalization.get({ zone_id });
    deepEqual(initial, { type: 'cloudflare', scope: 'both' });
    const wanted = { type: 'rfc3986', scope: 'incoming' } as const;
    deepEqual(await client.urlNormalization.update({ zone_id, ...wanted }), wanted);
    deepEqual(await client.urlNormalization.get({ zone_id }), wanted);
    equal((await client.urlNormalization.delete({ zone_id }).asResponse()).status, 204);
    deepEqual(await client.urlNormalization.get({ zone_id }), initial);
  },
});
