import { codes } from '../code.ts';

export const settingCodes = codes({
  settingUnknown: {
    code: 1006,
    status: 400,
    message: 'Unrecognized zone setting name: {name}',
    advice: 'GET /zones/{zone_id}/settings lists the settings.',
  },
  settingValueInvalid: {
    code: 1007,
    status: 400,
    message: 'Invalid value for zone setting {name}: it takes {values}',
    advice: 'Send one of the values the message lists.',
  },
  settingNotEditable: {
    code: 1015,
    status: 400,
    message: 'Not allowed to edit setting for {name}: {reason}',
    advice:
      'The message has the reason. docs/reference/zone-settings.md describes the values and effect of each setting, and which have no effect here.',
  },
  settingIdle: {
    code: 20957,
    status: 200,
    message: 'the setting {name} is stored but has no effect, because {reason}',
    advice:
      'Comes as a message, not as an error. docs/reference/zone-settings.md lists the settings that have an effect.',
  },
});
