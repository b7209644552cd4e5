/** Changes records with a webhook: `POST URL/present` or `/cleanup` with `{"fqdn": …, "value": …}`. */
import { AcmeError } from '../acme/acme-error.ts';
import { sendRequest } from '../acme/send-request.ts';
import type { RecordChange } from './record-change.ts';
import { saidCharactersMax } from './limits.ts';

export async function changeByWebhook(
  url: string,
  key: string | undefined,
  { kind, name, value }: RecordChange,
): Promise<void> {
  const { status, text } = await sendRequest({
    method: 'POST',
    url: `${url.replace(/\/+$/, '')}/${kind}`,
    contentType: 'application/json',
    body: JSON.stringify({ fqdn: name, value }),
    ...(key === undefined ? {} : { authorization: `Basic ${Buffer.from(key).toString('base64')}` }),
  });
  if (status >= 200 && status < 300) return;
  const said = text.trim().slice(0, saidCharactersMax);
  throw new AcmeError('dns', `the webhook ${kind} for ${name} answered ${status}${said && `: ${said}`}`);
}
