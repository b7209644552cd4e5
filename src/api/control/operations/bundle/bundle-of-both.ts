/**
 * The bundle of a zone has parts of two objects: most are the zone's, load balancers are the account's. An import
 * checks the account's part first, changes the zone and then the account; if the program dies in between, repeating the
 * import completes it.
 */
import type { WrittenResponse } from '#contract';

interface Envelope {
  readonly result: { readonly changes?: object; readonly load_balancing?: object };
  readonly messages: readonly object[];
}

type Answer = () => Promise<WrittenResponse>;

export async function exportBoth(askZone: Answer, askAccount: Answer): Promise<WrittenResponse> {
  const zone = await askZone();
  if (zone.status >= 400) return zone;
  const account = read(await askAccount());
  const { load_balancing } = account.result;
  if (load_balancing === undefined && account.messages.length === 0) return zone;
  return join(zone, account, load_balancing === undefined ? {} : { load_balancing });
}

export async function importBoth({
  tryAccount,
  changeZone,
  changeAccount,
  isTrial,
}: {
  readonly tryAccount: Answer;
  readonly changeZone: Answer;
  readonly changeAccount: Answer;
  readonly isTrial: boolean;
}): Promise<WrittenResponse> {
  const tried = await tryAccount();
  if (tried.status >= 400) return tried;
  const zone = await changeZone();
  if (zone.status >= 400) return zone;
  const account = isTrial ? tried : await changeAccount();
  if (account.status >= 400) return account;
  const changes = { ...read(zone).result.changes, ...read(account).result.changes };
  return join(zone, read(account), { changes });
}

function read({ body }: WrittenResponse): Envelope {
  return JSON.parse(body!) as Envelope;
}

function join(zone: WrittenResponse, { messages }: Envelope, more: object): WrittenResponse {
  const envelope = read(zone);
  const result = { ...envelope.result, ...more };
  return {
    ...zone,
    body: JSON.stringify({ ...envelope, result, messages: [...envelope.messages, ...messages] }),
  };
}
