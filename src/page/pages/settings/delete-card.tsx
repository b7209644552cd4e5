/** Deleting a site, which cannot be undone: its name has to be typed. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';

export function DeleteCard({ zone }: { readonly zone: Zone }) {
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const close = (): void => {
    setAsking(false);
    setTyped('');
  };
  const deletion = useMutation({
    mutationFn: () => client.delete('/zones/{zone_id}', { zone_id: zone.id }),
    async onSuccess() {
      tell(`${zone.name} is deleted`);
      await navigate({ to: '/' });
      queries.removeQueries({ queryKey: ['zones', zone.id] });
      void queries.invalidateQueries({ queryKey: ['zones'] });
    },
    onError: (error) => tellError(`${zone.name} was not deleted`, error),
  });
  return (
    <Card title="Delete this site" className="settings-delete">
      <div className="row">
        <p>Its rules, settings and certificates go with it. Its audit log stays. This cannot be undone.</p>
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete site
        </Button>
      </div>
      <Confirm
        title={`Delete ${zone.name}?`}
        isOpen={isAsking}
        action="Delete for good"
        isBusy={deletion.isPending}
        isDisabled={typed !== zone.name}
        onClose={close}
        onConfirm={() => deletion.mutate()}
      >
        <p>
          The edge stops serving it at once. Rules, settings and certificates are deleted and cannot be
          brought back from here.
        </p>
        <Field label={`Type ${zone.name} to confirm`}>
          <TextInput value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
        </Field>
      </Confirm>
    </Card>
  );
}
