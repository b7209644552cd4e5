/**
 * The reverse proxy that judges traffic by the rules of its zones and reports the results.
 *
 * ```ts
 * await using edge = await Edge.start({ listeners: [{ port: 8080 }], secret, writeEvents });
 * edge.update(configuration);          // of a zone, from the control plane; in force at once
 * edge.complete();                     // there are no further zones: other names are not served here
 * edge.addresses[0].port;              // where it listens
 * ```
 *
 * A request is parsed strictly (`edge/wire`), judged by the rules (`edge/judging`) of its zone (`edge/zones`), challenged
 * if a rule says so (`edge/challenge`) and forwarded (`edge/proxy`). What was judged is what is forwarded.
 *
 * Applications can embed the same firewall (`edge/embed`), as a function or as middleware:
 *
 * ```ts
 * const firewall = createFirewall({ rules: [{ expression: 'http.request.uri.path eq "/admin"', action: 'block' }], managed: true });
 * app.use(nodeMiddleware(firewall));
 * ```
 */
export { HealthBoard, type HealthBoardOptions, type OriginReport } from './edge/balancing/health-board.ts';
export type { OriginState } from './edge/balancing/origin-health.ts';
export { Edge, type EdgeListener, type EdgeLoader, type EdgeOptions, type EdgeStats } from './edge/edge.ts';
export { fastifyHook } from './edge/embed/adapters/fastify.ts';
export { honoMiddleware, type HonoOptions } from './edge/embed/adapters/hono.ts';
export { type NodeMiddleware, nodeMiddleware } from './edge/embed/adapters/node.ts';
export type { FirewallResponse, DecidingRule, Decision, DecisionAction } from './edge/embed/decision.ts';
export {
  useCoreRules,
  type EmbeddedRule,
  type FirewallRules,
  type ManagedSettings,
  type RuleSettings,
} from './edge/embed/firewall-rules.ts';
export { createFirewall, type Firewall, type FirewallOptions } from './edge/embed/firewall.ts';
export type { IncomingHead } from './edge/embed/incoming.ts';
export type { DescribedRequest } from './edge/embed/sources/described-request.ts';
export type {
  EdgeObserver,
  OriginRecord,
  RecordedBody,
  RequestRecord,
  RequestTrace,
} from './edge/observation/edge-observer.ts';
export {
  clientGoneStatus,
  type HeaderField,
  type IncomingRequest,
  noAnswerStatus,
} from './edge/wire/exchange.ts';
export { http2StreamsMax } from './edge/wire/limits.ts';
export { emptyGeoDatabase, type GeoDatabase, openGeoDatabase } from './edge/judging/geo.ts';
export type { JudgedRequest } from './edge/judging/judged-request.ts';
export { isLearnedFrom, observeValues } from './edge/learning/observe.ts';
export type { Answerer } from './edge/asking/asker.ts';
export { ZoneJudge } from './edge/judging/zone-judge.ts';
export { type RawRequest, readRawRequest } from './edge/wire/request/raw-request.ts';
export { Refusal } from './edge/wire/refusal.ts';
