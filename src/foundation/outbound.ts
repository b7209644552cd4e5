/**
 * What this program sends to the servers of others: webhooks, logs, mail, and what it fetches from them. Users name these
 * servers, so every address is checked by the rules of origins when its name is resolved: nobody reaches through this
 * program what only this program can reach.
 *
 * ```ts
 * const rules = new OriginRules({ allowPrivate: false });
 * const { status } = await sendRequest({ url, method: 'POST', body, rules, timeoutMs: 10_000, bytesMax: 64_000 });
 * ```
 *
 * Everything has a deadline and a bound. Nothing is sent again here: that is for the caller.
 */
export { checkEndpoint, lookUpAllowed, ObstacleError, obstacleSentences } from './outbound/guarded-lookup.ts';
export { openConnection, type ConnectionTarget } from './outbound/open-connection.ts';
export { isMailAddress, type MailSettings, sendMail } from './outbound/send-mail.ts';
export { type OutboundAnswer, type OutboundRequest, sendRequest } from './outbound/send-request.ts';
