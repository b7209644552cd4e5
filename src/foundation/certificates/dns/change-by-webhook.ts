/** Changes records with a webhook: `POST URL/present` or `/cleanup` with `{"fqdn": …, "value": …}`. */
import { operatorRules, sendRequest } from '#outbound';
import { AcmeError, toUnreachable } from '../acme/acme-error.ts';
import { answerBytesMax, answerMsMax } from '../acme/limits.ts';
import type { RecordChange } from './record-change.ts';
import { saidCharactersMax } from './limits.ts';

export async function changeByWebhook(
  url: string,
  key: string | undefined,
  { kind, name, value }: RecordChange,
): Promise<void> {
  const { status, body } = await sendRequest({
    method: 'POST',
    url: `${url.replace(/\/+$/, '')}/${kind}`,
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Basic ${Buffer.from(key).toString('base64')}` }),
    },
    body: JSON.stringify({ fqdn: name, value }),
    rules: operatorRules,
    timeoutMs: answerMsMax,
    bytesMax: answerBytesMax,
  }).catch(toUnreachable);
  if (status >= 200 && status < 300) return;
  const said = body.toString().trim().slice(0, saidCharactersMax);
  throw new AcmeError('dns', `the webhook ${kind} for ${name} answered ${status}${said && `: ${said}`}`);
}
