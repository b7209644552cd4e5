/** Which form of a path rules see, and whether the origin gets it, too. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { SaveError, saveUnlessChanged } from '../../parts/guarded-save.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { tell } from '../../parts/toasts.tsx';

type Normalization = Result<'urlNormalization.get'>;

export function NormalizationCard({ zoneId }: { readonly zoneId: string }) {
  const query = useQuery({
    queryKey: ['url-normalization', zoneId],
    queryFn: ({ signal }) =>
      resultOf(client.get('/zones/{zone_id}/url_normalization', { zone_id: zoneId, signal })),
  });
  const [generation, setGeneration] = useState(0);
  const reload = async (): Promise<void> => {
    await query.refetch();
    setGeneration((count) => count + 1);
  };
  return (
    <Card title="URL normalization">
      {query.isPending ? (
        <Loading rows={2} />
      ) : query.isError ? (
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <NormalizationForm
          key={generation}
          zoneId={zoneId}
          initial={query.data}
          onReload={() => void reload()}
        />
      )}
    </Card>
  );
}

interface FormProps {
  readonly zoneId: string;
  readonly initial: Normalization;
  readonly onReload: () => void;
}

function NormalizationForm({ zoneId, initial, onReload }: FormProps) {
  const queries = useQueryClient();
  const [base, setBase] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const saving = useMutation({
    async mutationFn({ isForced }: { readonly isForced: boolean }) {
      const zone = { zone_id: zoneId };
      const read = () => client.get('/zones/{zone_id}/url_normalization', zone);
      const { result } = await saveUnlessChanged({ read, base, isForced }, (version) =>
        client.put('/zones/{zone_id}/url_normalization', { ...zone, body: draft, version }),
      );
      return result;
    },
    onSuccess(saved) {
      setBase(saved);
      tell('URL normalization is saved');
      void queries.invalidateQueries({ queryKey: ['url-normalization'] });
    },
  });
  const isChanged = draft.type !== base.type || draft.scope !== base.scope;
  return (
    <div className="stack">
      <div className="settings-pair">
        <Field
          label="How"
          hint="RFC 3986 decodes what needs no encoding; Cloudflare's way also joins slashes."
        >
          <Select
            value={draft.type}
            onChange={(event) => setDraft({ ...draft, type: event.target.value as Normalization['type'] })}
          >
            <option value="cloudflare">Cloudflare</option>
            <option value="rfc3986">RFC 3986</option>
          </Select>
        </Field>
        <Field label="For whom" hint="Rules that see the path as it was sent are easier to evade.">
          <Select
            value={draft.scope}
            onChange={(event) => setDraft({ ...draft, scope: event.target.value as Normalization['scope'] })}
          >
            <option value="incoming">Rules only</option>
            <option value="both">Rules and the origin</option>
            <option value="none">Nobody: rules see the path as it was sent</option>
          </Select>
        </Field>
      </div>
      {saving.isError && (
        <SaveError
          error={saving.error}
          onLoadTheirs={onReload}
          onSaveAnyway={() => saving.mutate({ isForced: true })}
        />
      )}
      <div>
        <Button
          disabled={!isChanged}
          isBusy={saving.isPending}
          onClick={() => saving.mutate({ isForced: false })}
        >
          Save normalization
        </Button>
      </div>
    </div>
  );
}
