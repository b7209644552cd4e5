import { codes } from '../code.ts';

export const listSourceCodes = codes({
  listSourceNotFound: {
    code: 10070,
    status: 404,
    message: 'filters.api.list_source_not_found: the list {list} has no source',
    advice: 'Its items were added by hand. Set a source with PUT …/source.',
  },
  listSourceInvalid: {
    code: 10071,
    status: 400,
    message: 'filters.api.invalid_list_source: {reason}',
    advice: 'The pointer names the field, and the message the problem.',
  },
});
