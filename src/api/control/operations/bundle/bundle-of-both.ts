/**
 * The bundle of a zone has parts of two objects: most are the zone's, load balancers are the account's. An import
 * checks the account's part first, changes the zone and then the account; if the program dies in between, repeating the
 * import completes it.
 */
import { type ObjectReply, type Result, type WrittenResponse, writeReply } from '#contract';

type Ask<Id extends 'bundle.export' | 'bundle.import'> = () => Promise<ObjectReply<Result<Id>>>;

export async function exportBoth(
  askZone: Ask<'bundle.export'>,
  askAccount: Ask<'bundle.export'>,
): Promise<WrittenResponse> {
  const zone = await askZone();
  if (zone.kind === 'refusal') return zone.refusal;
  const account = await askAccount();
  if (account.kind === 'refusal') return account.refusal;
  const { load_balancing } = account.result;
  return write(zone, account, load_balancing === undefined ? {} : { load_balancing });
}

export async function importBoth({
  tryAccount,
  changeZone,
  changeAccount,
  isTrial,
}: {
  readonly tryAccount: Ask<'bundle.import'>;
  readonly changeZone: Ask<'bundle.import'>;
  readonly changeAccount: Ask<'bundle.import'>;
  readonly isTrial: boolean;
}): Promise<WrittenResponse> {
  const tried = await tryAccount();
  if (tried.kind === 'refusal') return tried.refusal;
  const zone = await changeZone();
  if (zone.kind === 'refusal') return zone.refusal;
  const account = isTrial ? tried : await changeAccount();
  if (account.kind === 'refusal') return account.refusal;
  return write(zone, account, { changes: { ...zone.result.changes, ...account.result.changes } });
}

type Done = Extract<ObjectReply<object>, { readonly kind: 'done' }>;

/** The reply of the zone, with what the account adds. */
function write(zone: Done, account: Done, added: object): WrittenResponse {
  const joined = { ...zone, result: { ...zone.result, ...added } };
  return { ...writeReply(joined, account.messages ?? []), version: zone.version };
}
