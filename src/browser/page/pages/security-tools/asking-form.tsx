/** The form for a rule that asks an object or a server about visitors. */
import type { Sent } from '#client';
import { stoppingActions } from '../../api/stopping-actions.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';

export type AskingRule = Omit<Sent<'rulesets.addRule'>, 'position'>;

const defaults = { pass: 'Let it pass', ...stoppingActions } as const;
const whom = { ask: 'A Durable Object', forward_auth: 'A server, by its URL' } as const;

const start = {
  description: '',
  expression: 'starts_with(http.request.uri.path, "/account")',
  action: 'ask' as keyof typeof whom,
  worker: '',
  className: '',
  name: 'to_string(ip.src)',
  url: '',
  timeoutMs: '500',
  defaultAction: 'pass' as keyof typeof defaults,
  keepSeconds: '0',
  copied: '',
};
type AskingFields = typeof start;

function toRule(content: AskingFields): AskingRule {
  const { description, expression, action, url, worker, className, name } = content;
  const copied = content.copied.split(/[\s,]+/).filter((each) => each !== '');
  const asked =
    action === 'ask'
      ? { object: { worker: worker.trim(), class_name: className.trim(), name: { expression: name.trim() } } }
      : { url: url.trim() };
  return {
    action,
    expression,
    ...(description === '' ? {} : { description }),
    action_parameters: {
      ...asked,
      timeout_ms: Number(content.timeoutMs),
      default_action: content.defaultAction,
      keep_seconds: Number(content.keepSeconds),
      ...(copied.length === 0 ? {} : { copy_headers: copied }),
    },
  };
}

function isIncomplete({ expression, action, worker, className, name, url }: AskingFields): boolean {
  const needed = action === 'ask' ? [expression, worker, className, name] : [expression, url];
  return needed.some((each) => each.trim() === '');
}

interface AskingFormProps {
  readonly create: (rule: AskingRule) => Promise<unknown>;
  readonly onClose: () => void;
}

export function AskingForm({ create, onClose }: AskingFormProps) {
  return (
    <WriteDialog
      title="Create a rule that asks"
      action="Save rule"
      initial={start}
      write={(fields) => create(toRule(fields))}
      done="The rule is saved"
      failed="Not saved:"
      isIncomplete={isIncomplete}
      onClose={onClose}
    >
      {(bind, { action }) => (
        <>
          <TextField label="Description" {...bind('description')} />
          <TextField
            label="Requests"
            hint="Requests that all other rules let pass and that match this expression."
            isCode
            rows={2}
            {...bind('expression')}
          />
          <SelectField label="Ask" options={whom} {...bind('action')} />
          {action === 'ask' ? (
            <>
              <TextField label="Worker" isCode placeholder="reputation" {...bind('worker')} />
              <TextField label="Class" isCode placeholder="Visitor" {...bind('className')} />
              <TextField
                label="Name of the object"
                hint="An expression that returns a string."
                isCode
                {...bind('name')}
              />
            </>
          ) : (
            <TextField label="URL" isCode placeholder="https://auth.example/verify" {...bind('url')} />
          )}
          <TextField label="Timeout in milliseconds" inputMode="numeric" {...bind('timeoutMs')} />
          <SelectField label="Without an answer" options={defaults} {...bind('defaultAction')} />
          <TextField
            label="Cache answers, in seconds"
            hint="0 asks about every request."
            inputMode="numeric"
            {...bind('keepSeconds')}
          />
          <TextField
            label="Headers of the answer to send to the origin"
            hint="Header names, separated by commas."
            isCode
            {...bind('copied')}
          />
        </>
      )}
    </WriteDialog>
  );
}
