/**
 * Fields that only a network with much of the world's traffic can fill. The defaults are harmless: a rule that blocks
 * low scores must not block every visitor where none is scored.
 */
import { arrayOf, boolType, bytesType, intType, mapOf } from '../types.ts';
import { bytesArrayType, defineFields } from './define.ts';

const intArrayType = arrayOf(intType);
/** Scores range from 1, certainly a bot or an attack, to 99; 100 means not scored. */
const human = 99;
const notScored = 100;

const own = defineFields({ filledBy: 'proxy' }, [
  ['cf.bot_management.static_resource', boolType, 'Whether the extension is one of files that never change.'],
]);

const bots = defineFields({ filledBy: 'global' }, [
  ['cf.bot_management.score', intType, 'From 1, surely a bot, to 99, surely a human.', human],
  ['cf.bot_management.verified_bot', boolType, 'Whether it is a known, good bot.'],
  ['cf.bot_management.js_detection.passed', boolType, 'Whether the client passed the JavaScript test.'],
  ['cf.bot_management.corporate_proxy', boolType, 'Whether the client comes through the proxy of a company.'],
  ['cf.bot_management.signed_agent', boolType, 'Whether the client is an agent that signs its requests.'],
  ['cf.bot_management.detection_ids', intArrayType, 'Which heuristics found something.'],
  ['cf.bot_detection.js_check_score', intType, 'The score of the JavaScript test.'],
  ['cf.client.bot', boolType, 'Whether it is a known, good bot or crawler.'],
  ['cf.verified_bot_category', bytesType, 'The kind of a known bot.'],
  ['cf.threat_score', intType, 'Always 0 by now.'],
  ['cf.fraud.email_risk', bytesType, 'The risk of the e-mail address.'],
]);

const attacks = defineFields({ filledBy: 'global' }, [
  ['cf.waf.score', intType, 'From 1, surely an attack, to 99, surely not.', notScored],
  ['cf.waf.score.sqli', intType, 'The same for SQL injection.', notScored],
  ['cf.waf.score.xss', intType, 'The same for cross-site scripting.', notScored],
  ['cf.waf.score.rce', intType, 'The same for remote code execution.', notScored],
  ['cf.waf.score.class', bytesType, 'attack, likely_attack, likely_clean or clean.'],
  ['cf.waf.auth_detected', boolType, 'Whether the request carries credentials.'],
  ['cf.waf.credential_check.password_leaked', boolType, 'Whether the password is known to be leaked.'],
  ['cf.waf.credential_check.username_leaked', boolType, 'Whether the user name is known to be leaked.'],
  ['cf.waf.credential_check.username_and_password_leaked', boolType, 'Whether both are known together.'],
  [
    'cf.waf.credential_check.username_password_similar',
    boolType,
    'Whether the password is like a leaked one.',
  ],
  ['cf.waf.content_scan.has_obj', boolType, 'Whether the request holds a file.'],
  ['cf.waf.content_scan.has_malicious_obj', boolType, 'Whether it holds a malicious file.'],
  ['cf.waf.content_scan.has_failed', boolType, 'Whether a file could not be scanned.'],
  ['cf.waf.content_scan.num_obj', intType, 'How many files it holds.'],
  ['cf.waf.content_scan.num_malicious_obj', intType, 'How many malicious files it holds.'],
  ['cf.waf.content_scan.obj_sizes', intArrayType, 'Sizes of the files.'],
  ['cf.waf.content_scan.obj_types', bytesArrayType, 'Types of the files.'],
  ['cf.waf.content_scan.obj_results', bytesArrayType, 'What was found in the files.'],
]);

const prompts = defineFields({ filledBy: 'global' }, [
  ['cf.llm.prompt.detected', boolType, 'Whether the request holds a prompt for a language model.'],
  ['cf.llm.prompt.pii_detected', boolType, 'Whether the prompt holds personal data.'],
  ['cf.llm.prompt.pii_categories', bytesArrayType, 'Kinds of personal data in the prompt.'],
  ['cf.llm.prompt.unsafe_topic_detected', boolType, 'Whether the prompt is about something unsafe.'],
  ['cf.llm.prompt.unsafe_topic_categories', bytesArrayType, 'Which unsafe topics.'],
  ['cf.llm.prompt.injection_score', intType, 'From 1, surely an injection, to 99, surely not.', notScored],
  ['cf.llm.prompt.token_count', intType, 'About how many tokens the prompt has.'],
  ['cf.llm.prompt.custom_topic_categories', mapOf(intType), "Scores of the zone's own topics."],
]);

const schemas = defineFields({ filledBy: 'global' }, [
  ['cf.api_gateway.auth_id_present', boolType, 'Whether the request carries a session identifier.'],
  ['cf.api_gateway.request_violates_schema', boolType, 'Whether the request breaks the schema of the API.'],
  ['cf.api_gateway.fallthrough_detected', boolType, 'Whether no operation of the API matches.'],
  ['cf.schema_validation.learned.violated', boolType, 'Whether the request breaks the learned schema.'],
  ['cf.schema_validation.uploaded.violated', boolType, 'Whether the request breaks the uploaded schema.'],
]);

export const intelligenceFields = [...own, ...bots, ...attacks, ...prompts, ...schemas];
