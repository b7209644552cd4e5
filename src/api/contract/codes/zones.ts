import { codes } from '../code.ts';

export const zoneCodes = codes({
  zoneExists: {
    code: 1061,
    status: 400,
    message: '{name} already exists',
    advice: 'The account has a zone with this name; `meta.id` is its id.',
  },
  zoneNameInvalid: {
    code: 1097,
    status: 400,
    message: 'zones.api.invalid_name: {reason}',
    advice: 'A zone is named like `example.com`: at least two labels of letters, digits and hyphens.',
  },
  zonePropertyCount: {
    code: 1107,
    status: 400,
    message: 'zones.api.one_property: a call changes exactly one property of a zone, this one has {count}',
    advice: 'Send one of `paused`, `type`, `vanity_name_servers` and `plan` in each call.',
  },
  zoneNotEntitled: {
    code: 1108,
    status: 400,
    message: 'zones.api.not_entitled: {property} needs the plan {plan} or a larger one',
    advice: 'Change the plan of the zone first.',
  },
  zonePlanUnknown: {
    code: 1109,
    status: 400,
    message: 'zones.api.unknown_plan',
    advice: 'GET /zones/{zone_id}/available_plans lists the plans; both `id` and `legacy_id` work.',
  },
  zonesTooMany: {
    code: 1110,
    status: 400,
    message: 'zones.api.too_many: the account has {count} zones already',
    advice: 'Delete zones that are no longer used.',
  },
  zonePlanSmaller: {
    code: 1111,
    status: 200,
    message:
      'What the zone has beyond the quotas and features of the plan {plan} stays in force; nothing can be added to it.',
    advice:
      'Comes as a message, not as an error, with a change to a smaller plan. Nothing to do if that was intended.',
  },
});
