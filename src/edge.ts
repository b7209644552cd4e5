/**
 * The reverse proxy that judges real traffic by the rules of its zones, and says what it did.
 *
 * ```ts
 * await using edge = await Edge.start({ listeners: [{ port: 8080 }], secret, writeEvents });
 * edge.update(configuration);          // of a zone, from the control plane; in force at once
 * edge.addresses[0].port;              // where it listens
 * ```
 *
 * A request is read strictly (`edge/wire`), judged (`edge/judgement`), challenged if a rule says so (`edge/challenge`) and
 * passed on (`edge/proxy`). What was judged is what is forwarded.
 */
export { Edge, type EdgeOptions, type EdgeStats } from './edge/edge.ts';
export { type GeoDatabase, openGeoDatabase } from './edge/judgement/geo.ts';
export type { ListenerOptions, TlsOptions } from './edge/proxy/serve-proxy.ts';
