/**
 * Connections to external servers: for webhooks, logs, mail, certificates, and downloads. Users name these servers, so
 * every address is checked with SSRF rules (`OriginRules`) when its name is resolved: no user gains access through this
 * program to what only this program can reach. `operatorRules` are for servers in the settings of the program.
 *
 * ```ts
 * const rules = new OriginRules({ allowPrivate: false });
 * const { status } = await sendRequest({ url, method: 'POST', body, rules, timeoutMs: 10_000, bytesMax: 64_000 });
 * ```
 *
 * Everything has a deadline and a limit. Retries are left to the caller.
 */
export {
  checkEndpoint,
  chooseAddresses,
  ConnectionForbiddenError,
  type LookUp,
  lookUpGuarded,
  ObstacleError,
  obstacleTexts,
} from './outbound/guarded-lookup.ts';
export {
  createFetch,
  KeptConnections,
  openRequest,
  operatorRules,
  type OutboundAnswer,
  type OutboundRequest,
  sendRequest,
} from './outbound/http-client.ts';
export { openConnection, type ConnectionTarget } from './outbound/open-connection.ts';
export {
  type ForbiddenEndpoint,
  normaliseHost,
  type OriginObstacle,
  OriginRules,
  type OriginRulesOptions,
} from './outbound/origin-rules.ts';
export { isMailAddress, type MailSettings, sendMail } from './outbound/send-mail.ts';
