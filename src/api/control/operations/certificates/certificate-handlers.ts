/** The certificates of all zones, as the account knows them. */
import { pageOf } from '#contract';
import type { Context, Handlers } from '../../context/handler.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { listZoneCertificates } from '../../stores/certificates/zone-certificates.ts';

export const certificateHandlers: Handlers<Context, 'certificates'> = {
  'certificates.list'({ sql, nowMs, directory }, { query }) {
    const shown = listZoneCertificates(sql, nowMs).map(
      ({ id, zoneId, source, hosts, state, expiresAtMs, problem }) => ({
        id,
        zone_id: zoneId,
        zone_name: directory.zones.get(zoneId)?.name ?? '',
        source,
        hosts,
        state,
        expires_on: expiresAtMs === null ? null : toSeconds(expiresAtMs),
        problem,
      }),
    );
    return pageOf(shown, query);
  },
};
