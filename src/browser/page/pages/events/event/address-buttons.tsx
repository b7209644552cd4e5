/** Blocks or allows the address of an event at this site by an IP access rule, whatever its other rules do. */
import type { ReactNode } from 'react';
import type { Sent } from '#client';
import { client } from '../../../api/client.ts';
import { useZoneId } from '../../../api/queries.ts';
import { ConfirmButton } from '../../../parts/forms/write-button.tsx';

type Mode = Extract<Sent<'accessRules.create'>['mode'], 'block' | 'whitelist'>;

export function AddressButtons({ address }: { readonly address: string }) {
  if (address === '') return null;
  return (
    <>
      <AddressButton address={address} mode="block" label="Block address…" action="Block address">
        Every request from {address} to this site is blocked until you delete the rule under Security tools.
      </AddressButton>
      <AddressButton address={address} mode="whitelist" label="Allow address…" action="Allow address">
        No rule of this site stops requests from {address}, not even attacks, until you delete the rule under
        Security tools.
      </AddressButton>
    </>
  );
}

interface AddressButtonProps {
  readonly address: string;
  readonly mode: Mode;
  readonly label: string;
  readonly action: string;
  readonly children: ReactNode;
}

function AddressButton({ address, mode, label, action, children }: AddressButtonProps) {
  const zone_id = useZoneId();
  const configuration = { target: address.includes(':') ? 'ip6' : 'ip', value: address } as const;
  const body = { mode, configuration, notes: 'Created from the activity log' };
  return (
    <ConfirmButton
      label={label}
      look="plain"
      title={`${action} ${address}?`}
      action={action}
      write={() => client.post('/zones/{zone_id}/firewall/access_rules/rules', { zone_id, body })}
      done={mode === 'block' ? `${address} is blocked` : `${address} is allowed`}
      failed="The access rule was not created"
    >
      <p>{children}</p>
    </ConfirmButton>
  );
}
