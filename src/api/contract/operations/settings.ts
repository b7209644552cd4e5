/** Settings of a zone. */
import { settingCodes } from '../codes/settings.ts';
import { operationsOf } from '../operation.ts';
import { urlNormalizationScopes, urlNormalizationTypes } from '#rulesets';
import {
  named,
  choice,
  text,
  unread,
  listOf,
  array,
  ignored,
  object,
  optional,
  record,
  string,
  flag,
  nullable,
  timestamp,
  number,
  annotate,
} from '#shapes';

const operation = operationsOf({
  api: 'settings',
  read: ['zoneSettingsRead', 'zoneSettingsWrite'],
  write: ['zoneSettingsWrite'],
});

const segments = { setting_id: /^[0-9a-z_]{1,60}$/ };

/** `development_mode` reports its remaining time, and ends by itself. */
const tellsTheTime = true;

const settingSchema = named(
  'Setting',
  record({
    id: string,
    value: unread({
      description: 'For most settings `on` or `off`; otherwise a string, a number, an array or an object.',
    }),
    editable: flag(),
    modified_on: nullable(timestamp),
    time_remaining: optional(annotate(number, { description: 'Seconds; of `development_mode`.' })),
  }),
);

/** Some clients send the whole setting back. */
const content = {
  value: optional(unread({ description: 'What kind of value depends on the setting.' })),
  editable: ignored(),
  modified_on: ignored(),
  time_remaining: ignored(),
  certificate_status: ignored(),
  validation_errors: ignored(),
};

const settingOfMany = named('SettingEditOfMany', object({ ...content, id: text({ min: 1, max: 60 }) }));

const { settingIdle: _, ...refusals } = settingCodes;

export const settingOperations = {
  'settings.list': operation('GET /zones/{zone_id}/settings', {
    summary: 'List settings of a zone',
    isPersonal: tellsTheTime,
    result: listOf(settingSchema),
  }),
  'settings.editMany': operation('PATCH /zones/{zone_id}/settings', {
    summary: 'Change several settings of a zone in one transaction',
    body: named('SettingEdits', object({ items: array(settingOfMany, { min: 1, max: 100 }) })),
    result: listOf(settingSchema),
    codes: Object.values(refusals),
  }),
  'settings.get': operation('GET /zones/{zone_id}/settings/{setting_id}', {
    summary: 'Get a setting of a zone',
    isPersonal: tellsTheTime,
    segments,
    result: settingSchema,
    codes: [settingCodes.settingUnknown],
  }),
  'settings.edit': operation('PATCH /zones/{zone_id}/settings/{setting_id}', {
    summary: 'Change a setting of a zone',
    segments,
    body: named('SettingEdit', object({ ...content, id: ignored() })),
    result: settingSchema,
    codes: Object.values(refusals),
  }),
};

const urlNormalization = named(
  'UrlNormalization',
  object({ type: choice(urlNormalizationTypes), scope: choice(urlNormalizationScopes) }),
);

const normalizationApi = 'url_normalization';

export const urlNormalizationOperations = {
  'urlNormalization.get': operation('GET /zones/{zone_id}/url_normalization', {
    api: normalizationApi,
    summary: 'Get the URL normalization of a zone',
    result: urlNormalization,
  }),
  'urlNormalization.update': operation('PUT /zones/{zone_id}/url_normalization', {
    api: normalizationApi,
    summary: 'Set the URL normalization of a zone',
    body: urlNormalization,
    result: urlNormalization,
  }),
  'urlNormalization.delete': operation('DELETE /zones/{zone_id}/url_normalization', {
    api: normalizationApi,
    summary: 'Set the URL normalization of a zone back to the default',
    result: null,
  }),
};
