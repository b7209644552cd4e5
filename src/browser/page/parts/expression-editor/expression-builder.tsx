/** Simple conditions without knowledge of the language: field, operator, value, joined by and/or. */
import { Button } from '../button.tsx';
import { Select } from '../forms/field.tsx';
import type { KnownField } from './assist.ts';
import {
  type Condition,
  findOperator,
  type Groups,
  operators,
  type ScalarType,
  scalarTypes,
} from './conditions.ts';

interface ExpressionBuilderProps {
  readonly groups: Groups;
  readonly fields: readonly KnownField[];
  readonly onChange: (groups: Groups) => void;
}

/** The fields of most rules. */
const commonFields = new Set([
  'http.request.uri.path',
  'http.host',
  'ip.src',
  'ip.src.country',
  'http.request.method',
  'http.user_agent',
  'http.request.uri.query',
  'http.referer',
]);

export const firstCondition: Condition = {
  field: 'http.request.uri.path',
  type: 'Bytes',
  operator: 'contains',
  value: '',
};

export function ExpressionBuilder({ groups, fields, onChange }: ExpressionBuilderProps) {
  const setGroup = (place: number, group: readonly Condition[]): void =>
    onChange(group.length === 0 ? groups.toSpliced(place, 1) : groups.with(place, group));
  const count = groups.reduce((sum, group) => sum + group.length, 0);
  let number = 0;
  return (
    <div className="stack-close" role="group" aria-label="Conditions">
      {groups.map((group, place) => (
        <div key={place} className="stack-close">
          {place > 0 && <strong className="soft">or</strong>}
          <div className="box stack-close">
            {group.map((condition, index) => (
              <ConditionRow
                key={index}
                number={++number}
                isFirst={index === 0}
                isOnly={count === 1}
                condition={condition}
                fields={fields}
                onChange={(changed) => setGroup(place, group.with(index, changed))}
                onRemove={() => setGroup(place, group.toSpliced(index, 1))}
              />
            ))}
            <div className="row">
              <Button look="quiet" onClick={() => setGroup(place, [...group, firstCondition])}>
                And…
              </Button>
              {place === groups.length - 1 && (
                <Button look="quiet" onClick={() => onChange([...groups, [firstCondition]])}>
                  Or…
                </Button>
              )}
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}

interface ConditionRowProps {
  readonly number: number;
  readonly isFirst: boolean;
  readonly isOnly: boolean;
  readonly condition: Condition;
  readonly fields: readonly KnownField[];
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

function ConditionRow(props: ConditionRowProps) {
  const { number, isFirst, isOnly, condition, fields, onChange, onRemove } = props;
  const { values } = findOperator(condition.operator);
  return (
    <div className="builder-row" role="group" aria-label={`Condition ${number}`}>
      {!isFirst && <span className="builder-word soft small">and</span>}
      <FieldSelect
        number={number}
        condition={condition}
        fields={fields}
        onChange={(field, type) => onChange(changeField(condition, field, type))}
      />
      <Select
        aria-label={`Operator of condition ${number}`}
        options={Object.fromEntries(
          operators
            .filter(({ types }) => types.includes(condition.type))
            .map(({ name, label }) => [name, label]),
        )}
        value={condition.operator}
        onChange={(operator) => onChange({ ...condition, operator })}
      />
      {values === 'none' ? (
        <span />
      ) : (
        <input
          className="input mono"
          aria-label={`Value of condition ${number}`}
          value={condition.value}
          placeholder={placeholders[values === 'one' ? condition.type : values]}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => onChange({ ...condition, value: target.value })}
        />
      )}
      <Button look="quiet" aria-label={`Remove condition ${number}`} disabled={isOnly} onClick={onRemove}>
        ×
      </Button>
    </div>
  );
}

const placeholders: Readonly<Record<ScalarType | 'many' | 'list', string>> = {
  Bytes: 'text',
  Int: 'number',
  Ip: '192.0.2.1',
  Bool: '',
  many: 'values, separated by commas',
  list: 'name of a list',
};

/** The operator and the value are kept if they fit the field. */
function changeField(condition: Condition, field: string, type: ScalarType): Condition {
  if (type === condition.type) return { ...condition, field };
  const fitting = findOperator(condition.operator).types.includes(type);
  const operator = fitting ? condition.operator : operators.find(({ types }) => types.includes(type))!.name;
  return { field, type, operator, value: condition.value };
}

interface FieldSelectProps {
  readonly number: number;
  readonly condition: Condition;
  readonly fields: readonly KnownField[];
  readonly onChange: (field: string, type: ScalarType) => void;
}

function FieldSelect({ number, condition, fields, onChange }: FieldSelectProps) {
  const usable = fields.flatMap(({ name, type }) => {
    const scalar = scalarTypes.find((each) => each === type);
    return scalar === undefined ? [] : [{ name, type: scalar }];
  });
  const known = usable.some(({ name }) => name === condition.field)
    ? usable
    : [...usable, { name: condition.field, type: condition.type }];
  const isCommon = ({ name }: { readonly name: string }): boolean => commonFields.has(name);
  const choose = (name: string): void => onChange(name, known.find((each) => each.name === name)!.type);
  return (
    <Select
      className="mono"
      aria-label={`Field of condition ${number}`}
      value={condition.field}
      title={fields.find(({ name }) => name === condition.field)?.summary}
      onChange={choose}
    >
      <optgroup label="Common">{known.filter(isCommon).map(toOption)}</optgroup>
      <optgroup label="All others">{known.filter((each) => !isCommon(each)).map(toOption)}</optgroup>
    </Select>
  );
}

function toOption({ name }: { readonly name: string }) {
  return (
    <option key={name} value={name}>
      {name}
    </option>
  );
}
