/** Every field and every function of the language. */
import { fields } from './fields/all.ts';
import { cidr } from './functions/cidr.ts';
import { cidr6 } from './functions/cidr6.ts';
import { concat } from './functions/concat.ts';
import { decode_base64 } from './functions/decode_base64.ts';
import { encode_base64 } from './functions/encode_base64.ts';
import { ends_with } from './functions/ends_with.ts';
import { has_key } from './functions/has_key.ts';
import { has_value } from './functions/has_value.ts';
import { is_jwt_present } from './functions/is_jwt_present.ts';
import { is_jwt_valid } from './functions/is_jwt_valid.ts';
import { is_timed_hmac_valid_v0 } from './functions/is_timed_hmac_valid_v0.ts';
import { join } from './functions/join.ts';
import { len } from './functions/len.ts';
import { lookup_json_integer } from './functions/lookup_json_integer.ts';
import { lookup_json_string } from './functions/lookup_json_string.ts';
import { lower } from './functions/lower.ts';
import { regex_replace } from './functions/regex_replace.ts';
import { remove_bytes } from './functions/remove_bytes.ts';
import { remove_query_args } from './functions/remove_query_args.ts';
import { sha256 } from './functions/sha256.ts';
import { split } from './functions/split.ts';
import { starts_with } from './functions/starts_with.ts';
import { substring } from './functions/substring.ts';
import { to_string } from './functions/to_string.ts';
import { upper } from './functions/upper.ts';
import { url_decode } from './functions/url_decode.ts';
import { uuidv4 } from './functions/uuidv4.ts';
import { wildcard_replace } from './functions/wildcard_replace.ts';
import { Scheme } from './scheme.ts';

export const scheme = new Scheme({
  fields,
  functions: [
    cidr,
    cidr6,
    concat,
    decode_base64,
    encode_base64,
    ends_with,
    has_key,
    has_value,
    is_jwt_present,
    is_jwt_valid,
    is_timed_hmac_valid_v0,
    join,
    len,
    lookup_json_integer,
    lookup_json_string,
    lower,
    regex_replace,
    remove_bytes,
    remove_query_args,
    sha256,
    split,
    starts_with,
    substring,
    to_string,
    upper,
    url_decode,
    uuidv4,
    wildcard_replace,
  ],
});
