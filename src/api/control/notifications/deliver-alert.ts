/** Sends one notification, by webhook in the form of Cloudflare's generic webhooks, or by mail. */
import { OriginRules, sendMail, sendRequest } from '#outbound';
import type { OutboundSettings } from '../context/environment.ts';
import type { NotificationRow } from '../stores/notifications.ts';

const attemptMsMax = 15_000;
const answerBytesMax = 64 * 1024;

export interface AlertTarget {
  readonly accountId: string;
  /** The URL of a webhook. */
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
}

/** Rejects if no recipient accepted it. */
export async function deliverAlert(
  { policyId, alert, kind, target, createdAtMs, id }: NotificationRow,
  { accountId, url, secret }: AlertTarget,
  { origins, mail }: OutboundSettings,
): Promise<void> {
  const rules = new OriginRules(origins ?? {});
  if (kind === 'email') {
    if (mail === undefined) throw new Error('the server has no mail_server');
    const text = `${alert.text}\n\n${new Date(createdAtMs).toISOString()}\n`;
    // The operator chooses the mail server.
    return await sendMail(
      mail,
      { to: target, subject: `Gatehouse: ${alert.title}`, text },
      new OriginRules({ allowPrivate: true }),
    );
  }
  if (url === undefined) throw new Error('the webhook was deleted');
  const { status } = await sendRequest({
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(secret === undefined ? {} : { 'cf-webhook-auth': secret }),
    },
    body: JSON.stringify({
      name: alert.title,
      text: alert.text,
      data: { subject: alert.subject, ...(alert.zoneId === undefined ? {} : { zone_id: alert.zoneId }) },
      ts: Math.floor(createdAtMs / 1_000),
      account_id: accountId,
      policy_id: policyId,
      alert_type: alert.type,
      alert_correlation_id: id,
    }),
    rules,
    timeoutMs: attemptMsMax,
    bytesMax: answerBytesMax,
  });
  if (status < 200 || status > 299) throw new Error(`the webhook answered ${status}`);
}
