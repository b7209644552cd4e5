/** Where the requests of a site go, and what the edge does with those it cannot read whole. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { client, resultOf } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Field, Select, TextInput } from '../../parts/field.tsx';
import { SaveError, saveUnlessChanged } from '../../parts/guarded-save.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { tell } from '../../parts/toasts.tsx';
import { type EdgeDraft, type EdgeSettings, toDraft, toSettings } from './edge-settings.ts';

export function EdgeCard({ zoneId }: { readonly zoneId: string }) {
  const settings = useQuery({
    queryKey: ['edge', zoneId],
    queryFn: ({ signal }) => resultOf(client.get('/zones/{zone_id}/edge', { zone_id: zoneId, signal })),
  });
  const [generation, setGeneration] = useState(0);
  const reload = async (): Promise<void> => {
    await settings.refetch();
    setGeneration((count) => count + 1);
  };
  return (
    <Card title="Origin and edge">
      {settings.isPending ? (
        <Loading rows={6} />
      ) : settings.isError ? (
        <Failed error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <EdgeForm key={generation} zoneId={zoneId} initial={settings.data} onReload={() => void reload()} />
      )}
    </Card>
  );
}

interface FormProps {
  readonly zoneId: string;
  readonly initial: EdgeSettings;
  readonly onReload: () => void;
}

function EdgeForm({ zoneId, initial, onReload }: FormProps) {
  const [base, setBase] = useState(initial);
  const [draft, setDraft] = useState(() => toDraft(initial));
  const change = (part: Partial<EdgeDraft>): void => setDraft((current) => ({ ...current, ...part }));
  const queries = useQueryClient();
  const saving = useMutation({
    async mutationFn({ isForced }: { readonly isForced: boolean }) {
      const body = toSettings(draft);
      const zone = { zone_id: zoneId };
      const read = () => client.get('/zones/{zone_id}/edge', zone);
      const { result } = await saveUnlessChanged({ read, base, isForced }, (version) =>
        client.put('/zones/{zone_id}/edge', { ...zone, body, version }),
      );
      return result;
    },
    onSuccess(saved) {
      setBase(saved);
      setDraft(toDraft(saved));
      tell('Saved', 'The edge serves by it from the next request on.');
      void queries.invalidateQueries({ queryKey: ['edge'] });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate({ isForced: false });
  };
  const isChanged = JSON.stringify(draft) !== JSON.stringify(toDraft(base));
  return (
    <form className="stack" onSubmit={submit}>
      <OriginFields draft={draft} onChange={change} />
      <EdgeFields draft={draft} onChange={change} />
      {saving.isError && (
        <SaveError
          error={saving.error}
          onLoadTheirs={onReload}
          onSaveAnyway={() => saving.mutate({ isForced: true })}
        />
      )}
      <div className="row">
        <Button type="submit" look="primary" disabled={!isChanged} isBusy={saving.isPending}>
          Save
        </Button>
        {isChanged && <span className="soft">There are changes that are not saved.</span>}
      </div>
    </form>
  );
}

interface FieldsProps {
  readonly draft: EdgeDraft;
  readonly onChange: (part: Partial<EdgeDraft>) => void;
}

function OriginFields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <div className="settings-pair">
        <Field
          label="Origin"
          hint="Scheme, host and port of your server, or worker:NAME. Empty: the site is not served."
        >
          <TextInput
            value={draft.url}
            placeholder="https://origin.example:8443"
            autoComplete="off"
            onChange={(event) => onChange({ url: event.target.value })}
          />
        </Field>
        <Field label="Connect to" hint="A name or address in place of the host of the origin. Often empty.">
          <TextInput
            value={draft.connectTo}
            autoComplete="off"
            onChange={(event) => onChange({ connectTo: event.target.value })}
          />
        </Field>
      </div>
      <label className="settings-check">
        <input
          type="checkbox"
          checked={draft.verifyTls}
          onChange={(event) => onChange({ verifyTls: event.target.checked })}
        />
        Check the certificate of the origin
      </label>
    </>
  );
}

function EdgeFields({ draft, onChange }: FieldsProps) {
  return (
    <div className="settings-pair">
      <ChoiceField
        label="Requests that rules cannot judge in full"
        hint="Because a body has more than 128 KiB of text (files in forms do not count) or cannot be decoded, or because rules take too long for the request. To accept such bodies on some paths only, make an exception from their events."
        value={draft.overInspectionLimit}
        texts={{
          default: 'Block; long bodies only where managed rules are deployed',
          log: 'Log and let pass',
          block: 'Block',
        }}
        onChoose={(overInspectionLimit) => onChange({ overInspectionLimit })}
      />
      <Field
        label="Withheld header fields to forward"
        hint="Fields such as X-Real-IP do not reach the origin, because any visitor can send them. Separate names by commas."
      >
        <TextInput
          value={draft.forwardedFields}
          autoComplete="off"
          onChange={(event) => onChange({ forwardedFields: event.target.value })}
        />
      </Field>
      <ChoiceField
        label="Responses of the origin"
        hint="Where the OWASP ruleset is deployed, its rules about responses can look for errors and code that leak. Responses are then held back until they are judged."
        value={draft.responseRules}
        texts={{ off: 'Not looked at', log: 'Log what leaks', block: 'Block what leaks' }}
        onChoose={(responseRules) => onChange({ responseRules })}
      />
      <ChoiceField
        label="OWASP scores that no detector confirms"
        hint="Texts about code can score as high as attacks. With “Only log”, a score that reaches its threshold stops a request only if a detector is sure of an attack in it; rules about methods, clients and sessions, which have no detector, then stop nothing."
        value={draft.unconfirmedScores}
        texts={{ act: 'Do what the rule of the score says', log: 'Only log' }}
        onChoose={(unconfirmedScores) => onChange({ unconfirmedScores })}
      />
    </div>
  );
}

interface ChoiceFieldProps<Choice extends string> {
  readonly label: string;
  readonly hint: string;
  readonly value: Choice;
  /** What each choice is called, in their order. */
  readonly texts: Readonly<Record<Choice, string>>;
  onChoose(value: Choice): void;
}

function ChoiceField<Choice extends string>({
  label,
  hint,
  value,
  texts,
  onChoose,
}: ChoiceFieldProps<Choice>) {
  return (
    <Field label={label} hint={hint}>
      <Select value={value} onChange={(event) => onChoose(event.target.value as Choice)}>
        {Object.entries<string>(texts).map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  );
}
