/** Written by scripts/generate-models.mjs; 710 models. One line each: see `listed-models-table.ts`. */

/** The day on which these prices were current. */
export const LISTED_DATE = "2026-11-02";

export const LISTED_TABLES: Readonly<Record<string, string>> = {
  bedrock: `
amazon.nova-2-lite-v1:0|Nova 2 Lite|1000000|65535|ri|0.33 2.75 0.0825 0.33
amazon.nova-lite-v1:0|Nova Lite|300000|10000|i|0.06 0.24 0.015 0.06
amazon.nova-micro-v1:0|Nova Micro|128000|10000||0.035 0.14 0.00875 0.035
amazon.nova-pro-v1:0|Nova Pro|300000|10000|i|0.8 3.2 0.2 0.8
anthropic.claude-fable-5|Claude Fable 5|1000000|128000|ri|10 50 1 12.5
anthropic.claude-fable-5-1|Claude Fable 5.1|1000000|128000|ri|10 50 0.25 12.5
anthropic.claude-fable-5-2|Claude Fable 5.2|1000000|128000|ri|8 40 0.2 10
anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5|200000|64000|ri|1 5 0.1 1.25
anthropic.claude-haiku-5-5|Claude Haiku 5.5|1000000|128000|ri|0.1 0.5 0.01 0.125
anthropic.claude-opus-4-1-20250805-v1:0|Claude Opus 4.1|200000|32000|ri|15 75 1.5 18.75
anthropic.claude-opus-4-5-20251101-v1:0|Claude Opus 4.5|200000|64000|ri|5 25 0.5 6.25
anthropic.claude-opus-4-6-v1|Claude Opus 4.6|1000000|128000|ri|5.5 27.5 0.55 6.875
anthropic.claude-opus-4-7|Claude Opus 4.7|1000000|128000|ri|5 25 0.5 6.25
anthropic.claude-opus-4-8|Claude Opus 4.8|1000000|128000|ri|5 25 0.5 6.25
anthropic.claude-opus-5-5|Claude Opus 5.5|1000000|128000|ri|4 20 0.2 5
anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5|200000|64000|ri|3 15 0.3 3.75
anthropic.claude-sonnet-4-6|Claude Sonnet 4.6|1000000|128000|ri|3.3 16.5 0.33 4.125
anthropic.claude-sonnet-5|Claude Sonnet 5|1000000|128000|ri|2 10 0.2 2.5
anthropic.claude-sonnet-5-5|Claude Sonnet 5.5|1000000|128000|ri|2 10 0.1 2.5
apac.amazon.nova-lite-v1:0|Nova Lite (APAC)|300000|10000|i|0.063 0.252 0.01575 0.063
apac.amazon.nova-micro-v1:0|Nova Micro (APAC)|128000|10000||0.037 0.148 0.00925 0.037
apac.amazon.nova-pro-v1:0|Nova Pro (APAC)|300000|10000|i|0.84 3.36 0.21 0.84
apac.anthropic.claude-sonnet-4-20250514-v1:0|Claude Sonnet 4 (APAC)|200000|64000|ri|3 15 0.3 3.75
au.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (AU)|200000|64000|ri|1.1 5.5 0.11 1.375
au.anthropic.claude-haiku-5-5|Claude Haiku 5.5 (AU)|1000000|128000|ri|0.11 0.55 0.011 0.1375
au.anthropic.claude-opus-4-6-v1|AU Anthropic Claude Opus 4.6|1000000|128000|ri|5.5 27.5 0.55 6.875
au.anthropic.claude-opus-4-7|Claude Opus 4.7 (AU)|1000000|128000|ri|5.5 27.5 0.55 6.875
au.anthropic.claude-opus-4-8|Claude Opus 4.8 (AU)|1000000|128000|ri|5.5 27.5 0.55 6.875
au.anthropic.claude-opus-5|Claude Opus 5 (AU)|1000000|128000|ri|5.5 27.5 0.55 6.875
au.anthropic.claude-opus-5-5|Claude Opus 5.5 (AU)|1000000|128000|ri|4.4 22 0.22 5.5
au.anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5 (AU)|200000|64000|ri|3.3 16.5 0.33 4.125
au.anthropic.claude-sonnet-4-6|AU Anthropic Claude Sonnet 4.6|1000000|128000|ri|3.3 16.5 0.33 4.125
au.anthropic.claude-sonnet-5|Claude Sonnet 5 (AU)|1000000|128000|ri|2.2 11 0.22 2.75
au.anthropic.claude-sonnet-5-5|Claude Sonnet 5.5 (AU)|1000000|128000|ri|2.2 11 0.11 2.75
ca.amazon.nova-lite-v1:0|Nova Lite (CA)|300000|10000|i|0.064 0.256 0.016 0.064
deepseek.v3-v1:0|DeepSeek-V3.1|163840|81920|r|0.58 1.68
deepseek.v3.2|DeepSeek V3.2|163840|81920|r|0.62 1.85
eu.amazon.nova-2-lite-v1:0|Nova 2 Lite (EU)|1000000|65535|ri|0.374 3.157 0.0935 0.374
eu.amazon.nova-lite-v1:0|Nova Lite (EU)|300000|10000|i|0.069 0.276 0.01725 0.069
eu.amazon.nova-micro-v1:0|Nova Micro (EU)|128000|10000||0.04 0.16 0.01 0.04
eu.amazon.nova-pro-v1:0|Nova Pro (EU)|300000|10000|i|0.92 3.68 0.23 0.92
eu.anthropic.claude-fable-5|Claude Fable 5 (EU)|1000000|128000|ri|11 55 1.1 13.75
eu.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (EU)|200000|64000|ri|1.1 5.5 0.11 1.375
eu.anthropic.claude-haiku-5-5|Claude Haiku 5.5 (EU)|1000000|128000|ri|0.11 0.55 0.011 0.1375
eu.anthropic.claude-opus-4-5-20251101-v1:0|Claude Opus 4.5 (EU)|200000|64000|ri|5.5 27.5 0.55 6.875
eu.anthropic.claude-opus-4-6-v1|Claude Opus 4.6 (EU)|1000000|128000|ri|5.5 27.5 0.55 6.875
eu.anthropic.claude-opus-4-7|Claude Opus 4.7 (EU)|1000000|128000|ri|5.5 27.5 0.55 6.875
eu.anthropic.claude-opus-4-8|Claude Opus 4.8 (EU)|1000000|128000|ri|5.5 27.5 0.55 6.875
eu.anthropic.claude-opus-5|Claude Opus 5 (EU)|1000000|128000|ri|5.5 27.5 0.55 6.875
eu.anthropic.claude-opus-5-5|Claude Opus 5.5 (EU)|1000000|128000|ri|4.4 22 0.22 5.5
eu.anthropic.claude-sonnet-4-20250514-v1:0|Claude Sonnet 4 (EU)|200000|64000|ri|3 15 0.3 3.75
eu.anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5 (EU)|200000|64000|ri|3.3 16.5 0.33 4.125
eu.anthropic.claude-sonnet-4-6|Claude Sonnet 4.6 (EU)|1000000|128000|ri|3.3 16.5 0.33 4.125
eu.anthropic.claude-sonnet-5|Claude Sonnet 5 (EU)|1000000|128000|ri|2.2 11 0.22 2.75
eu.anthropic.claude-sonnet-5-5|Claude Sonnet 5.5 (EU)|1000000|128000|ri|2.2 11 0.11 2.75
eu.mistral.pixtral-large-2502-v1:0|Pixtral Large (25.02) (EU)|128000|8192|i|2 6
global.amazon.nova-2-lite-v1:0|Nova 2 Lite (Global)|1000000|65535|ri|0.3 2.5 0.075 0.3
global.anthropic.claude-fable-5|Claude Fable 5 (Global)|1000000|128000|ri|10 50 1 12.5
global.anthropic.claude-fable-5-1|Claude Fable 5.1 (Global)|1000000|128000|ri|10 50 0.25 12.5
global.anthropic.claude-fable-5-2|Claude Fable 5.2 (Global)|1000000|128000|ri|8 40 0.2 10
global.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (Global)|200000|64000|ri|1 5 0.1 1.25
global.anthropic.claude-haiku-5-5|Claude Haiku 5.5 (Global)|1000000|128000|ri|0.1 0.5 0.01 0.125
global.anthropic.claude-opus-4-5-20251101-v1:0|Claude Opus 4.5 (Global)|200000|64000|ri|5 25 0.5 6.25
global.anthropic.claude-opus-4-6-v1|Claude Opus 4.6 (Global)|1000000|128000|ri|5 25 0.5 6.25
global.anthropic.claude-opus-4-7|Claude Opus 4.7 (Global)|1000000|128000|ri|5 25 0.5 6.25
global.anthropic.claude-opus-4-8|Claude Opus 4.8 (Global)|1000000|128000|ri|5 25 0.5 6.25
global.anthropic.claude-opus-5|Claude Opus 5 (Global)|1000000|128000|ri|5 25 0.5 6.25
global.anthropic.claude-opus-5-5|Claude Opus 5.5 (Global)|1000000|128000|ri|4 20 0.2 5
global.anthropic.claude-sonnet-4-20250514-v1:0|Claude Sonnet 4 (Global)|200000|64000|ri|3 15 0.3 3.75
global.anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5 (Global)|200000|64000|ri|3 15 0.3 3.75
global.anthropic.claude-sonnet-4-6|Claude Sonnet 4.6 (Global)|1000000|128000|ri|3 15 0.3 3.75
global.anthropic.claude-sonnet-5|Claude Sonnet 5 (Global)|1000000|128000|ri|2 10 0.2 2.5
global.anthropic.claude-sonnet-5-5|Claude Sonnet 5.5 (Global)|1000000|128000|ri|2 10 0.1 2.5
global.moonshotai.kimi-k3|Kimi K3 (Global)|1048576|128000|ri|3 15 0.3 3.75
global.moonshotai.kimi-k3.1|Kimi K3.1 Pro Highspeed (Global)|1048576|1048576|ri|4 20 0.2 5
global.openai.gpt-5.6-luna|GPT-5.6 Luna (Global)|1050000|128000|ri|0.2 1.2 0.02 0.25
global.openai.gpt-5.6-sol|GPT-5.6 Sol (Global)|1050000|128000|ri|4 20 0.4 5
global.openai.gpt-5.6-terra|GPT-5.6 Terra (Global)|1050000|128000|ri|2 12 0.2 2.5
global.openai.gpt-6-astra|GPT-6 Astra (Global)|1050000|128000|ri|10 50 1 12.5
global.openai.gpt-6-luna|GPT-6 Luna (Global)|1050000|128000|ri|0.1 0.5 0.01 0.125
global.openai.gpt-6-sol|GPT-6 Sol (Global)|1050000|128000|ri|2 10 0.2 2.5
global.openai.gpt-6.1-sol|GPT-6.1 Sol (Global)|1050000|128000|ri|2 10 0.1 2.5
global.openai.gpt-6.1-terra|GPT-6.1 Terra (Global)|1050000|128000|ri|1 5 0.05 1.25
global.xai.grok-4.6|Grok 4.6 (Global)|500000|500000|ri|2 6 0.5
global.xai.grok-4.7|Grok 4.7 (Global)|500000|500000|ri|2 6 0.5
global.zai.glm-5.3|GLM-5.3 (Global)|1000000|128000|r|1.68 5.28 0.312 2.1
google.gemma-4-26b-a4b|Gemma 4 26B A4B IT|262144|32768|ri|0.13 0.4
google.gemma-4-31b|Gemma 4 31B IT|262144|32768|ri|0.14 0.4
google.gemma-4-e2b|Gemma 4 E2B IT|131072|8192|ri|0.04 0.08
in.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (India)|200000|64000|ri|1.1 5.5 0.11 1.375
in.anthropic.claude-opus-5|Claude Opus 5 (India)|1000000|128000|ri|5.5 27.5 0.55 6.875
in.anthropic.claude-sonnet-5|Claude Sonnet 5 (India)|1000000|128000|ri|2.2 11 0.22 2.75
in.openai.gpt-5.6-luna|GPT-5.6 Luna (India)|1050000|128000|ri|0.22 1.32 0.022 0.275
in.openai.gpt-5.6-terra|GPT-5.6 Terra (India)|1050000|128000|ri|2.2 13.2 0.22 2.75
jp.amazon.nova-2-lite-v1:0|Nova 2 Lite (JP)|1000000|65535|ri|0.396 3.311 0.099 0.396
jp.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (JP)|200000|64000|ri|1.1 5.5 0.11 1.375
jp.anthropic.claude-haiku-5-5|Claude Haiku 5.5 (JP)|1000000|128000|ri|0.11 0.55 0.011 0.1375
jp.anthropic.claude-opus-4-7|Claude Opus 4.7 (JP)|1000000|128000|ri|5.5 27.5 0.55 6.875
jp.anthropic.claude-opus-4-8|Claude Opus 4.8 (JP)|1000000|128000|ri|5.5 27.5 0.55 6.875
jp.anthropic.claude-opus-5|Claude Opus 5 (JP)|1000000|128000|ri|5.5 27.5 0.55 6.875
jp.anthropic.claude-opus-5-5|Claude Opus 5.5 (JP)|1000000|128000|ri|4.4 22 0.22 5.5
jp.anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5 (JP)|200000|64000|ri|3.3 16.5 0.33 4.125
jp.anthropic.claude-sonnet-4-6|Claude Sonnet 4.6 (JP)|1000000|128000|ri|3.3 16.5 0.33 4.125
jp.anthropic.claude-sonnet-5|Claude Sonnet 5 (JP)|1000000|128000|ri|2.2 11 0.22 2.75
meta.llama3-1-70b-instruct-v1:0|Llama 3.1 70B Instruct|128000|4096||0.72 0.72
meta.llama3-1-8b-instruct-v1:0|Llama 3.1 8B Instruct|128000|4096||0.22 0.22
meta.llama3-3-70b-instruct-v1:0|Llama 3.3 70B Instruct|128000|4096||0.72 0.72
meta.llama4-maverick-17b-instruct-v1:0|Llama 4 Maverick 17B Instruct|1000000|8192|i|0.24 0.97
meta.llama4-scout-17b-instruct-v1:0|Llama 4 Scout 17B Instruct|10000000|8192|i|0.17 0.66
minimax.minimax-m2|MiniMax-M2|204608|128000|r|0.3 1.2
minimax.minimax-m2.1|MiniMax-M2.1|196608|131072|r|0.3 1.2
minimax.minimax-m2.5|MiniMax-M2.5|196608|98304|r|0.3 1.2
mistral.devstral-2-123b|Devstral 2 123B|262144|8192||0.4 2
mistral.magistral-small-2509|Magistral Small 1.2|128000|40000|ri|0.5 1.5
mistral.ministral-3-14b-instruct|Ministral 14B 3.0|128000|4096|i|0.2 0.2
mistral.ministral-3-3b-instruct|Ministral 3 3B|256000|8192|i|0.1 0.1
mistral.ministral-3-8b-instruct|Ministral 3 8B|128000|4096|i|0.15 0.15
mistral.mistral-large-3-675b-instruct|Mistral Large 3|262144|8192|i|0.5 1.5
mistral.pixtral-large-2502-v1:0|Pixtral Large (25.02)|128000|8192|i|2 6
mistral.voxtral-mini-3b-2507|Voxtral Mini 3B 2507|32768|4096||0.04 0.04
mistral.voxtral-small-24b-2507|Voxtral Small 24B 2507|32768|8192||0.1 0.3
moonshot.kimi-k2-thinking|Kimi K2 Thinking|262144|16000|r|0.6 2.5
moonshotai.kimi-k2.5|Kimi K2.5|262144|16384|ri|0.6 3
nvidia.nemotron-nano-12b-v2|NVIDIA Nemotron Nano 12B v2 VL BF16|131072|8192|i|0.2 0.6
nvidia.nemotron-nano-3-30b|NVIDIA Nemotron Nano 3 30B|262144|8192|r|0.06 0.24
nvidia.nemotron-nano-9b-v2|NVIDIA Nemotron Nano 9B v2|131072|8192||0.06 0.23
nvidia.nemotron-super-3-120b|NVIDIA Nemotron 3 Super 120B A12B|262144|131072|r|0.15 0.65
openai.gpt-5.4|GPT-5.4|1000000|128000|ri|2.75 16.5 0.275
openai.gpt-5.5|GPT-5.5|1000000|128000|ri|5.5 33 0.55
openai.gpt-5.6-luna|GPT-5.6 Luna|1050000|128000|ri|0.22 1.32 0.022 0.275
openai.gpt-5.6-sol|GPT-5.6 Sol|1050000|128000|ri|4.4 22 0.44 5.5
openai.gpt-5.6-terra|GPT-5.6 Terra|1050000|128000|ri|2.2 13.2 0.22 2.75
openai.gpt-6-astra|GPT-6 Astra|1050000|128000|ri|11 55 1.1 13.75
openai.gpt-6-luna|GPT-6 Luna|1050000|128000|ri|0.11 0.55 0.011 0.1375
openai.gpt-6-sol|GPT-6 Sol|1050000|128000|ri|2.2 11 0.22 2.75
openai.gpt-6.1-sol|GPT-6.1 Sol|1050000|128000|ri|2.2 11 0.11 2.75
openai.gpt-6.1-terra|GPT-6.1 Terra|1050000|128000|ri|1.1 5.5 0.055 1.375
openai.gpt-oss-120b|gpt-oss-120b|131072|131072|r|0.15 0.6
openai.gpt-oss-120b-1:0|gpt-oss-120b|131072|128000|r|0.15 0.6
openai.gpt-oss-20b|gpt-oss-20b|131072|131072|r|0.07 0.3
openai.gpt-oss-20b-1:0|gpt-oss-20b|131072|128000|r|0.07 0.3
openai.gpt-oss-safeguard-120b|GPT OSS Safeguard 120B|128000|16384|r|0.15 0.6
openai.gpt-oss-safeguard-20b|GPT OSS Safeguard 20B|128000|16384|r|0.07 0.2
qwen.qwen3-235b-a22b-2507-v1:0|Qwen3 235B-A22B Instruct 2507|262144|131072||0.22 0.88
qwen.qwen3-32b-v1:0|Qwen3 32B|32768|16384|r|0.15 0.6
qwen.qwen3-coder-30b-a3b-v1:0|Qwen3-Coder 30B-A3B Instruct|262144|131072||0.15 0.6
qwen.qwen3-coder-480b-a35b-v1:0|Qwen3-Coder 480B-A35B Instruct|131072|65536||0.45 1.8
qwen.qwen3-coder-next|Qwen3 Coder Next|262144|65536||0.5 1.2
qwen.qwen3-next-80b-a3b|Qwen3-Next 80B-A3B Instruct|262144|262000||0.15 1.2
qwen.qwen3-vl-235b-a22b|Qwen3 VL 235B A22B Instruct|262144|262000|i|0.53 2.66
us-gov.openai.gpt-oss-120b-1:0|gpt-oss-120b (GovCloud)|128000|16384|r|0.18 0.72
us-gov.openai.gpt-oss-20b-1:0|gpt-oss-20b (GovCloud)|128000|16384|r|0.084 0.36
us.amazon.nova-2-lite-v1:0|Nova 2 Lite (US)|1000000|65535|ri|0.33 2.75 0.0825 0.33
us.amazon.nova-lite-v1:0|Nova Lite (US)|300000|10000|i|0.06 0.24 0.015 0.06
us.amazon.nova-micro-v1:0|Nova Micro (US)|128000|10000||0.035 0.14 0.00875 0.035
us.amazon.nova-premier-v1:0|Nova Premier (US)|1000000|10000|i|2.5 12.5 0.625 2.5
us.amazon.nova-pro-v1:0|Nova Pro (US)|300000|10000|i|0.8 3.2 0.2 0.8
us.anthropic.claude-fable-5|Claude Fable 5 (US)|1000000|128000|ri|11 55 1.1 13.75
us.anthropic.claude-fable-5-1|Claude Fable 5.1 (US)|1000000|128000|ri|11 55 0.275 13.75
us.anthropic.claude-fable-5-2|Claude Fable 5.2 (US)|1000000|128000|ri|8.8 44 0.22 11
us.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (US)|200000|64000|ri|1.1 5.5 0.11 1.375
us.anthropic.claude-haiku-5-5|Claude Haiku 5.5 (US)|1000000|128000|ri|0.11 0.55 0.011 0.1375
us.anthropic.claude-opus-4-1-20250805-v1:0|Claude Opus 4.1 (US)|200000|32000|ri|15 75 1.5 18.75
us.anthropic.claude-opus-4-5-20251101-v1:0|Claude Opus 4.5 (US)|200000|64000|ri|5.5 27.5 0.55 6.875
us.anthropic.claude-opus-4-6-v1|Claude Opus 4.6 (US)|1000000|128000|ri|5.5 27.5 0.55 6.875
us.anthropic.claude-opus-4-7|Claude Opus 4.7 (US)|1000000|128000|ri|5.5 27.5 0.55 6.875
us.anthropic.claude-opus-4-8|Claude Opus 4.8 (US)|1000000|128000|ri|5.5 27.5 0.55 6.875
us.anthropic.claude-opus-5|Claude Opus 5 (US)|1000000|128000|ri|5.5 27.5 0.55 6.875
us.anthropic.claude-opus-5-5|Claude Opus 5.5 (US)|1000000|128000|ri|4.4 22 0.22 5.5
us.anthropic.claude-sonnet-4-20250514-v1:0|Claude Sonnet 4 (US)|200000|64000|ri|3 15 0.3 3.75
us.anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5 (US)|200000|64000|ri|3.3 16.5 0.33 4.125
us.anthropic.claude-sonnet-4-6|Claude Sonnet 4.6 (US)|1000000|128000|ri|3.3 16.5 0.33 4.125
us.anthropic.claude-sonnet-5|Claude Sonnet 5 (US)|1000000|128000|ri|2.2 11 0.22 2.75
us.anthropic.claude-sonnet-5-5|Claude Sonnet 5.5 (US)|1000000|128000|ri|2.2 11 0.11 2.75
us.meta.llama3-1-70b-instruct-v1:0|Llama 3.1 70B Instruct (US)|128000|4096||0.72 0.72
us.meta.llama3-1-8b-instruct-v1:0|Llama 3.1 8B Instruct (US)|128000|4096||0.22 0.22
us.meta.llama3-3-70b-instruct-v1:0|Llama 3.3 70B Instruct (US)|128000|4096||0.72 0.72
us.meta.llama4-maverick-17b-instruct-v1:0|Llama 4 Maverick 17B Instruct (US)|1000000|8192|i|0.24 0.97
us.meta.llama4-scout-17b-instruct-v1:0|Llama 4 Scout 17B Instruct (US)|10000000|8192|i|0.17 0.66
us.mistral.pixtral-large-2502-v1:0|Pixtral Large (25.02) (US)|128000|8192|i|2 6
us.moonshotai.kimi-k3|Kimi K3 (US)|1048576|128000|ri|3.3 16.5 0.33 4.125
us.moonshotai.kimi-k3.1|Kimi K3.1 Pro Highspeed (US)|1048576|1048576|ri|4.4 22 0.22 5.5
us.openai.gpt-5.6-luna|GPT-5.6 Luna (US)|1050000|128000|ri|0.22 1.32 0.022 0.275
us.openai.gpt-5.6-sol|GPT-5.6 Sol (US)|1050000|128000|ri|4.4 22 0.44 5.5
us.openai.gpt-5.6-terra|GPT-5.6 Terra (US)|1050000|128000|ri|2.2 13.2 0.22 2.75
us.openai.gpt-6-astra|GPT-6 Astra (US)|1050000|128000|ri|11 55 1.1 13.75
us.openai.gpt-6-luna|GPT-6 Luna (US)|1050000|128000|ri|0.11 0.55 0.011 0.1375
us.openai.gpt-6-sol|GPT-6 Sol (US)|1050000|128000|ri|2.2 11 0.22 2.75
us.openai.gpt-6.1-sol|GPT-6.1 Sol (US)|1050000|128000|ri|2.2 11 0.11 2.75
us.openai.gpt-6.1-terra|GPT-6.1 Terra (US)|1050000|128000|ri|1.1 5.5 0.055 1.375
us.writer.palmyra-x4-v1:0|Palmyra X4 (US)|122880|8192|r|2.5 10
us.writer.palmyra-x5-v1:0|Palmyra X5 (US)|1040000|8192|r|0.6 6
us.xai.grok-4.6|Grok 4.6 (US)|500000|500000|ri|2.2 6.6 0.55
us.xai.grok-4.7|Grok 4.7 (US)|500000|500000|ri|2.2 6.6 0.55
us.zai.glm-5.3|GLM-5.3 (US)|1000000|128000|r|1.848 5.808 0.3432 2.31
writer.palmyra-x4-v1:0|Palmyra X4|122880|8192|r|2.5 10
writer.palmyra-x5-v1:0|Palmyra X5|1040000|8192|r|0.6 6
xai.grok-4.3|Grok 4.3|1000000|131072|ri|1.25 2.5 0.2
xai.grok-4.6|Grok 4.6|500000|500000|ri|2.2 6.6 0.55
zai.glm-4.7|GLM-4.7|202752|131072|r|0.6 2.2
zai.glm-4.7-flash|GLM-4.7-Flash|202752|131072|r|0.07 0.4
zai.glm-5|GLM-5|202752|131072|r|1 3.2
`,
  anthropic: `
claude-fable-5|Claude Fable 5|1000000|128000|ri|10 50 1 12.5
claude-fable-5-1|Claude Fable 5.1|1000000|128000|ri|10 50 0.25 12.5
claude-fable-5-2|Claude Fable 5.2|1000000|128000|ri|8 40 0.2 10
claude-haiku-4-5|Claude Haiku 4.5 (latest)|200000|64000|ri|1 5 0.1 1.25
claude-haiku-5-5|Claude Haiku 5.5|1000000|128000|ri|0.1 0.5 0.01 0.125
claude-opus-4-5|Claude Opus 4.5 (latest)|200000|64000|ri|5 25 0.5 6.25
claude-opus-4-6|Claude Opus 4.6|1000000|128000|ri|5 25 0.5 6.25
claude-opus-4-7|Claude Opus 4.7|1000000|128000|ri|5 25 0.5 6.25
claude-opus-4-8|Claude Opus 4.8|1000000|128000|ri|5 25 0.5 6.25
claude-opus-5|Claude Opus 5|1000000|128000|ri|5 25 0.5 6.25
claude-opus-5-5|Claude Opus 5.5|1000000|128000|ri|4 20 0.2 5
claude-sonnet-4-5|Claude Sonnet 4.5 (latest)|200000|64000|ri|3 15 0.3 3.75
claude-sonnet-4-6|Claude Sonnet 4.6|1000000|128000|ri|3 15 0.3 3.75
claude-sonnet-5|Claude Sonnet 5|1000000|128000|ri|2 10 0.2 2.5
claude-sonnet-5-5|Claude Sonnet 5.5|1000000|128000|ri|2 10 0.1 2.5
`,
  azure: `
chat-latest|Chat Latest|400000|128000|ri|5 30 0.5
gpt-4|GPT-4|8192|8192||30 60
gpt-4-turbo|GPT-4 Turbo|128000|4096|i|10 30
gpt-4.1|GPT-4.1|1047576|32768|i|2 8 0.5
gpt-4.1-mini|GPT-4.1 mini|1047576|32768|i|0.4 1.6 0.1
gpt-4.1-nano|GPT-4.1 nano|1047576|32768|i|0.1 0.4 0.025
gpt-4o|GPT-4o|128000|16384|i|2.5 10 1.25
gpt-4o-mini|GPT-4o mini|128000|16384|i|0.15 0.6 0.075
gpt-5|GPT-5|400000|128000|ri|1.25 10 0.125
gpt-5-chat-latest|GPT-5 Chat Latest|128000|16384|i|1.25 10 0.125
gpt-5-mini|GPT-5 Mini|400000|128000|ri|0.25 2 0.025
gpt-5-nano|GPT-5 Nano|400000|128000|ri|0.05 0.4 0.005
gpt-5-pro|GPT-5 Pro|400000|128000|ri|15 120
gpt-5.1|GPT-5.1|400000|128000|ri|1.25 10 0.125
gpt-5.2|GPT-5.2|400000|128000|ri|1.75 14 0.175
gpt-5.2-pro|GPT-5.2 Pro|400000|128000|ri|21 168
gpt-5.3-codex|GPT-5.3 Codex|400000|128000|ri|1.75 14 0.175
gpt-5.3-codex-spark|GPT-5.3 Codex Spark|128000|32000|ri|1.75 14 0.175
gpt-5.4|GPT-5.4|1050000|128000|ri|2.5 15 0.25
gpt-5.4-mini|GPT-5.4 mini|400000|128000|ri|0.75 4.5 0.075
gpt-5.4-nano|GPT-5.4 nano|400000|128000|ri|0.2 1.25 0.02
gpt-5.4-pro|GPT-5.4 Pro|1050000|128000|ri|30 180
gpt-5.5|GPT-5.5|1050000|128000|ri|5 30 0.5
gpt-5.5-pro|GPT-5.5 Pro|1050000|128000|ri|30 180
gpt-5.6-cyber|GPT-5.6 Cyber|400000|128000|ri|12.5 75 1.25 15.625
gpt-5.6-luna|GPT-5.6 Luna|1050000|128000|ri|0.2 1.2 0.02 0.25
gpt-5.6-sol|GPT-5.6 Sol|1050000|128000|ri|4 20 0.4 5
gpt-5.6-terra|GPT-5.6 Terra|1050000|128000|ri|2 12 0.2 2.5
gpt-6-astra|GPT-6 Astra|1050000|128000|ri|10 50 1 12.5
gpt-6-luna|GPT-6 Luna|1050000|128000|ri|0.1 0.5 0.01 0.125
gpt-6-sol|GPT-6 Sol|1050000|128000|ri|2 10 0.2 2.5
gpt-6.1-sol|GPT-6.1 Sol|1050000|128000|ri|2 10 0.1 2.5
gpt-6.1-terra|GPT-6.1 Terra|1050000|128000|ri|1 5 0.05 1.25
gpt-daybreak-blue-latest|Daybreak Blue|1050000|128000|ri|4 20 0.4 5
gpt-daybreak-red-latest|Daybreak Red|400000|128000|ri|12.5 75 1.25 15.625
o1||200000|100000|ri|15 60 7.5
o1-pro||200000|100000|ri|150 600
o3||200000|100000|ri|2 8 0.5
o3-mini||200000|100000|r|1.1 4.4 0.55
o3-pro||200000|100000|ri|20 80
o4-mini||200000|100000|ri|1.1 4.4 0.275
deepseek-v4-pro|DeepSeek V4 Pro|1000000|384000|r|1.925 3.828 0.165
`,
  baseten: `
deepseek-ai/DeepSeek-V4-Flash-0731|DeepSeek V4 Flash 0731|1048576|384000|r|0.13 0.26 0.028
deepseek-ai/DeepSeek-V4-Pro-0813|DeepSeek V4 Pro 0813|1048576|262144|r|1.32 3.96 0.132
deepseek-ai/DeepSeek-V4.1-Flash|DeepSeek V4.1 Flash|1048576|32768|ri|0.3 1.2 0.007
deepseek-ai/DeepSeek-V4.1-Flash-1017|DeepSeek V4.1 Flash 1017|1048576|262144|ri|0.3 1.2 0.007
deepseek-ai/DeepSeek-V4.1-Flash-1017-Fast|DeepSeek V4.1 Flash 1017 Fast|1048576|262144|ri|0.6 2.4 0.014
deepseek-ai/DeepSeek-V4.1-Flash-Fast|DeepSeek V4.1 Flash Fast|1048576|32768|ri|0.6 2.4 0.014
moonshotai/Kimi-K3|Kimi K3|1048576|262144|ri|3 15 0.3
moonshotai/Kimi-K3.1-Pro|Kimi K3.1 Pro|1000000|262144|ri|2 10 0.2
nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B|Nemotron 3 Ultra|202800|202800|r|0.6 2.4 0.12
openai/gpt-oss-120b|OpenAI GPT 120B|128072|128072|r|0.1 0.5 0.1
zai-org/GLM-5.2|GLM 5.2|1048576|262144|r|1.4 4.4 0.14
zai-org/GLM-5.2-Fast|GLM 5.2 Fast|1048576|262144|r|2.1 6.6 0.21
zai-org/GLM-5.3|GLM 5.3|1048576|262144|ri|1.4 4.4 0.14
zai-org/GLM-5.3-Fast|GLM 5.3 Fast|1048576|262144|ri|2.1 6.6 0.21
zai-org/GLM-5.3-Flash|GLM 5.3 Flash|1048576|131072|ri|0.15 0.5 0.03
`,
  cerebras: `
gpt-oss-120b|GPT OSS 120B|131072|40960|r|0.35 0.75 0.35
qwen-3.8-27b|Qwen3.8 27B|131072|40960|ri|0.99 1.49 0.99
`,
  cloudflare: `
@cf/deepseek-ai/deepseek-v4-flash-0731|DeepSeek V4 Flash 0731|1048576|1048576|r|0.44 1.32 0.014
@cf/deepseek-ai/deepseek-v4-pro-0813|DeepSeek V4 Pro 0813|1048576|1048576|r|1.32 3.96 0.044
@cf/deepseek-ai/deepseek-v4.1-flash-1017|DeepSeek V4.1 Flash 1017|1048576|1048576|ri|0.3 1.2 0.006
@cf/google/gemma-4-26b-a4b-it|Gemma 4 26B A4B IT|256000|16384|ri|0.1 0.3 0.05
@cf/ibm-granite/granite-4.0-h-micro|Granite 4.0 H Micro|131000|131000||0.017 0.112
@cf/meta/llama-3.3-70b-instruct-fp8-fast|Llama 3.3 70B Instruct fp8 Fast|24000|24000||0.293 2.253
@cf/meta/llama-4-scout-17b-16e-instruct|Llama 4 Scout 17B 16E Instruct|131000|16384|i|0.27 0.85
@cf/mistralai/mistral-small-3.1-24b-instruct|Mistral Small 3.1 24B Instruct|128000|128000|i|0.351 0.555
@cf/moonshotai/kimi-k2.6|Kimi K2.6|262144|256000|ri|0.95 4 0.16
@cf/moonshotai/kimi-k2.7-code|Kimi K2.7 Code|262144|262144|ri|0.95 4 0.19
@cf/nvidia/nemotron-3-120b-a12b|Nemotron 3 Super 120B|256000|256000|r|0.5 1.5
@cf/openai/gpt-oss-120b|GPT OSS 120B|128000|16384|r|0.35 0.75
@cf/openai/gpt-oss-20b|GPT OSS 20B|128000|16384|r|0.2 0.3
@cf/qwen/qwen3-30b-a3b-fp8|Qwen3 30B A3b fp8|32768|32768|r|0.0509 0.335
@cf/qwen/qwen3.8-27b|Qwen3.8 27B|262144|262144|ri|0.45 3.2 0.05
@cf/zai-org/glm-4.7-flash|GLM-4.7-Flash|131072|131072|r|0.0605 0.4
@cf/zai-org/glm-5.2|Glm 5.2|262144|256000|r|1.4 4.4 0.26
@cf/zai-org/glm-5.3|Glm 5.3|1048576|1048576|r|1.4 4.4 0.26
@cf/zai-org/glm-5.3-flash|Glm 5.3 Flash|1048576|1048576|ri|0.15 0.5 0.03
`,
  deepseek: `
deepseek-flash|DeepSeek V4.1 Flash|1000000|384000|ri|0.3 1.2 0.006
deepseek-v4-pro|DeepSeek V4 Pro|1000000|384000|r|1.32 3.96 0.044
`,
  fireworks: `
accounts/fireworks/models/deepseek-v4p1-flash|DeepSeek V4.1 Flash|1000000|384000|ri|0.3 1.2 0.006
accounts/fireworks/models/deepseek-v4p1-flash-1017|DeepSeek V4.1 Flash 1017|1000000|384000|ri|0.3 1.2 0.006
accounts/fireworks/models/ember-1|Ember-1|1048576|131072|ri|3 15 0.3
accounts/fireworks/models/minimax-m3|MiniMax-M3|512000|512000|r|0.3 1.2 0.06
accounts/fireworks/models/minimax-m3p1-flash|MiniMax-M3.1-Flash|1000000|512000|ri|0.15 0.6 0.015
accounts/fireworks/models/muse-spark-open|Muse Spark Open|1048576|131072|ri|1.25 4.25 0.15
accounts/fireworks/models/qwen3p8-2p4t-a95b|Qwen3.8 2.4T A95B|262144|131072|r|2 6 0.25
accounts/fireworks/models/qwen3p8-max|Qwen3.8 Max|262144|131072|ri|2 6 0.25
accounts/fireworks/routers/deepseek-flash-latest|DeepSeek Flash Latest|1000000|384000|ri|0.3 1.2 0.006
accounts/fireworks/routers/deepseek-v4p1-flash-1017-spot|DeepSeek V4.1 Flash 1017 Spot|1000000|384000|ri|0.21 0.84 0.0042
accounts/fireworks/routers/deepseek-v4p1-flash-1017-ultrafast|DeepSeek V4.1 Flash 1017 Ultra-fast|1000000|384000|ri|2.4 9.6 0.048
accounts/fireworks/routers/deepseek-v4p1-flash-spot|DeepSeek V4.1 Flash Spot|1000000|384000|ri|0.21 0.84 0.0042
accounts/fireworks/routers/kimi-fast-latest|Kimi Fast Latest|1048576|131072|ri|4.5 22.5 0.45
accounts/fireworks/routers/kimi-latest|Kimi Latest|1048576|131072|ri|3 15 0.3
accounts/fireworks/routers/minimax-latest|MiniMax Latest|512000|512000|r|0.3 1.2 0.06
accounts/fireworks/routers/qwen-max-latest|Qwen Max Latest (Qwen3.8 Max)|262144|131072|ri|2 6 0.25
accounts/fireworks/models/glm-5p3|GLM 5.3|1048573|262144|r|1.4 4.4 0.26
accounts/fireworks/models/glm-5p3-flash|GLM 5.3 Flash|1048573|131072|ri|0.15 0.5 0.03
accounts/fireworks/models/kimi-k3|Kimi K3|1048576|131072|ri|3 15 0.3
accounts/fireworks/models/kimi-k3p1-pro|Kimi K3.1 Pro|1048576|131072|ri|2 10 0.2
accounts/fireworks/routers/glm-5p3-fast|GLM 5.3 Fast|1048572|262144|r|2.1 6.6 0.39
accounts/fireworks/routers/glm-5p3-spot|GLM 5.3 Spot|1048573|262144|r|0.98 3.08 0.182
accounts/fireworks/routers/glm-fast-latest|GLM 5.3 Fast (Latest)|1048572|262144|r|2.1 6.6 0.39
accounts/fireworks/routers/glm-flash-latest|GLM Flash Latest (GLM 5.3 Flash)|1048573|131072|ri|0.15 0.5 0.03
accounts/fireworks/routers/glm-latest|GLM Latest|1048573|262144|r|1.4 4.4 0.26
accounts/fireworks/routers/kimi-k3-fast|Kimi K3 Fast|1048576|131072|ri|4.5 22.5 0.45
accounts/fireworks/routers/kimi-k3-spot|Kimi K3 Spot|1048576|131072|ri|2.1 10.5 0.21
`,
  "github-copilot": `
claude-fable-5|Claude Fable 5|1000000|128000|ri|10 50 1 12.5
claude-fable-5.1|Claude Fable 5.1|1000000|128000|ri|10 50 0.25 12.5
claude-haiku-4.5|Claude Haiku 4.5 (latest)|200000|64000|ri|1 5 0.1 1.25
claude-haiku-5.5|Claude Haiku 5.5|1000000|128000|ri|0.1 0.5 0.01 0.125
claude-opus-4.8|Claude Opus 4.8|1000000|64000|ri|5 25 0.5 6.25
claude-opus-5|Claude Opus 5|1000000|64000|ri|5 25 0.5 6.25
claude-opus-5.5|Claude Opus 5.5|1000000|128000|ri|4 20 0.2 5
claude-sonnet-4.6|Claude Sonnet 4.6|1000000|32000|ri|3 15 0.3 3.75
claude-sonnet-5|Claude Sonnet 5|1000000|128000|ri|2 10 0.2 2.5
claude-sonnet-5.5|Claude Sonnet 5.5|1000000|128000|ri|2 10 0.1 2.5
gemini-3.8-flash|Gemini 3.8 Flash|1000000|64000|ri|0.75 3.75 0.075
gemini-4-argon|Gemini 4 Argon|1048576|65536|ri|2 10 0.1
kimi-k3|Kimi K3|1048576|131072|ri|3 15 0.3
gpt-5.3-codex|GPT-5.3 Codex|1000000|128000|ri|1.75 14 0.175
gpt-5.4-nano|GPT-5.4 nano|400000|128000|ri|0.2 1.25 0.02
gpt-5.6-luna|GPT-5.6 Luna|1050000|128000|ri|0.2 1.2 0.02 0.25
gpt-5.6-sol|GPT-5.6 Sol|1050000|128000|ri|4 20 0.4 5
gpt-5.6-terra|GPT-5.6 Terra|1050000|128000|ri|2 12 0.2 2.5
gpt-6-astra|GPT-6 Astra|1000000|128000|ri|10 50 1 12.5
gpt-6-luna|GPT-6 Luna|1000000|128000|ri|0.1 0.5 0.01 0.125
gpt-6-sol|GPT-6 Sol|1000000|128000|ri|2 10 0.2 2.5
gpt-6.1-sol|GPT-6.1 Sol|1050000|128000|ri|2 10 0.1 2.5
gpt-6.1-terra|GPT-6.1 Terra|1050000|128000|ri|1 5 0.05 1.25
grok-4.5|Grok 4.5|500000|128000|ri|2 6 0.5
grok-4.6|Grok 4.6|500000|128000|ri|2 6 0.5
grok-4.7|Grok 4.7|500000|128000|ri|2 6 0.5
mai-code-1.1-flash|MAI-Code-1.1-Flash|256000|128000|ri|0.2 1.2 0.02
`,
  google: `
deep-research-max-preview-04-2026|Deep Research Max Preview (Apr-21-2026)|1048576|65536|ri|2 12 0.2
deep-research-preview-04-2026|Deep Research Preview (Apr-21-2026)|1048576|65536|ri|2 12 0.2
gemini-2.5-computer-use-preview-10-2025|Gemini 2.5 Computer Use Preview 10-2025|128000|64000|ri|1.25 10
gemini-2.5-flash|Gemini 2.5 Flash|1048576|65536|ri|0.3 2.5 0.03
gemini-2.5-flash-lite|Gemini 2.5 Flash-Lite|1048576|65536|ri|0.1 0.4 0.01
gemini-2.5-pro|Gemini 2.5 Pro|1048576|65536|ri|1.25 10 0.125
gemini-3-flash-preview|Gemini 3 Flash Preview|1048576|65536|ri|0.5 3 0.05
gemini-3.1-flash-lite|Gemini 3.1 Flash Lite|1048576|65536|ri|0.25 1.5 0.025
gemini-3.1-flash-lite-preview|Gemini 3.1 Flash Lite Preview|1048576|65536|ri|0.25 1.5 0.025
gemini-3.1-pro-preview|Gemini 3.1 Pro Preview|1048576|65536|ri|2 12 0.2
gemini-3.1-pro-preview-customtools|Gemini 3.1 Pro Preview Custom Tools|1048576|65536|ri|2 12 0.2
gemini-3.5-flash|Gemini 3.5 Flash|1048576|65536|ri|1.5 9 0.15
gemini-3.5-flash-lite|Gemini 3.5 Flash Lite|1048576|65536|ri|0.3 2.5 0.03
gemini-3.6-flash|Gemini 3.6 Flash|1048576|65536|ri|0.75 3.75 0.075
gemini-3.7-flash|Gemini 3.7 Flash|1048576|65536|ri|0.75 3.75 0.075
gemini-3.8-flash|Gemini 3.8 Flash|1048576|65536|ri|0.75 3.75 0.075
gemini-4-argon|Gemini 4 Argon|1048576|32768|ri|2 10 0.1
gemini-flash-latest|Gemini Flash Latest|1048576|65536|ri|1.5 9 0.15
gemini-flash-lite-latest|Gemini Flash-Lite Latest|1048576|65536|ri|0.25 1.5 0.025
gemini-pro-latest|Gemini Pro Latest|1048576|65536|ri|2 12 0.2
gemini-robotics-er-2-preview|Gemini Robotics-ER 2 Preview|131072|65536|ri|1 5 0.1
gemma-4-26b-a4b-it|Gemma 4 26B A4B IT|262144|32768|ri
gemma-4-31b-it|Gemma 4 31B IT|262144|32768|ri
`,
  vertex: `
gemini-2.5-flash|Gemini 2.5 Flash|1048576|65536|ri|0.3 2.5 0.03
gemini-2.5-flash-lite|Gemini 2.5 Flash-Lite|1048576|65536|ri|0.1 0.4 0.01
gemini-2.5-pro|Gemini 2.5 Pro|1048576|65536|ri|1.25 10 0.125
gemini-3-flash-preview|Gemini 3 Flash Preview|1048576|65536|ri|0.5 3 0.05
gemini-3.1-flash-lite|Gemini 3.1 Flash Lite|1048576|65536|ri|0.25 1.5 0.025
gemini-3.1-pro-preview|Gemini 3.1 Pro Preview|1048576|65536|ri|2 12 0.2
gemini-3.1-pro-preview-customtools|Gemini 3.1 Pro Preview Custom Tools|1048576|65536|ri|2 12 0.2
gemini-3.5-flash|Gemini 3.5 Flash|1048576|65536|ri|1.5 9 0.15
gemini-3.5-flash-lite|Gemini 3.5 Flash Lite|1048576|65536|ri|0.3 2.5 0.03
gemini-3.6-flash|Gemini 3.6 Flash|1048576|65536|ri|0.75 3.75 0.075
gemini-3.7-flash|Gemini 3.7 Flash|1048576|65536|ri|0.75 3.75 0.075
gemini-3.8-flash|Gemini 3.8 Flash|1048576|65536|ri|0.75 3.75 0.075
gemini-4-argon|Gemini 4 Argon|1048576|65536|ri|2 10 0.1
`,
  groq: `
llama-3.1-8b-instant|Llama 3.1 8B|131072|131072||0.05 0.08
llama-3.3-70b-versatile|Llama 3.3 70B|131072|32768||0.59 0.79
openai/gpt-oss-120b|GPT OSS 120B|131072|65536|r|0.15 0.6 0.075
openai/gpt-oss-20b|GPT OSS 20B|131072|65536|r|0.075 0.3 0.0375
openai/gpt-oss-safeguard-20b|Safety GPT OSS 20B|131072|65536|r|0.075 0.3 0.0375
qwen/qwen3.6-27b|Qwen3.6 27B|131072|16384|ri|0.6 3 0.3
qwen/qwen3.8-27b|Qwen3.8 27B|131072|16384|ri|0.8 4
`,
  huggingface: `
deepseek-ai/DeepSeek-R1|DeepSeek-R1|64000|32768|r|0.7 2.5
deepseek-ai/DeepSeek-R1-0528|DeepSeek-R1-0528|163840|32768|r|3 5
deepseek-ai/DeepSeek-V3|DeepSeek-V3|64000|8192||0.4 1.3
deepseek-ai/DeepSeek-V3-0324|DeepSeek V3 0324|163840|163840||0.27 1.12
deepseek-ai/DeepSeek-V3.1|DeepSeek-V3.1|131072|8192|r|0.27 1
deepseek-ai/DeepSeek-V3.2|DeepSeek-V3.2|163840|65536|r|0.28 0.4
deepseek-ai/DeepSeek-V4-Flash|DeepSeek V4 Flash|1048576|384000|r|0.14 0.28
deepseek-ai/DeepSeek-V4-Flash-0731|DeepSeek V4 Flash 0731|1048576|384000|r|0.14 0.28
deepseek-ai/DeepSeek-V4-Flash-Vision-Exp|DeepSeek V4 Flash Vision Exp|1048576|384000|ri|0.44 1.32
deepseek-ai/DeepSeek-V4-Pro|DeepSeek V4 Pro|1048576|393216|r|0.435 0.87 0.003625
deepseek-ai/DeepSeek-V4-Pro-0813|DeepSeek V4 Pro 0813|1000000|384000|r|1.32 3.96
deepseek-ai/DeepSeek-V4.1-Flash|DeepSeek V4.1 Flash|1048576|384000|ri|0.3 1.2
deepseek-ai/DeepSeek-V4.1-Flash-1017|DeepSeek V4.1 Flash 1017|1048576|384000|ri|0.3 1.2
google/gemma-3-12b-it|Gemma 3 12B IT|131072|131072|i|0.05 0.15
google/gemma-3-27b-it|Gemma 3 27B IT|131072|131072|i|0.08 0.16
google/gemma-3-4b-it|Gemma 3 4B IT|131072|131072|i|0.05 0.1
google/gemma-4-26B-A4B-it|Gemma 4 26B A4B IT|262144|32768|ri|0.13 0.4
google/gemma-4-31B-it|Gemma 4 31B IT|262144|32768|ri|0.14 0.4
meta-llama/Llama-3.1-8B-Instruct|Llama-3.1-8B-Instruct|131072|4096||0.06 0.06
meta-llama/Llama-3.3-70B-Instruct|Llama-3.3-70B-Instruct|131072|4096||0.59 0.79
MiniMaxAI/MiniMax-M1-80k|MiniMax M1 80K|1000000|80000|r|0.55 2.2
MiniMaxAI/MiniMax-M2|MiniMax-M2|204800|131072|r|0.3 1.2
MiniMaxAI/MiniMax-M2.1|MiniMax-M2.1|204800|131072|r|0.3 1.2
MiniMaxAI/MiniMax-M2.5|MiniMax-M2.5|204800|131072|r|0.3 1.2 0.03
MiniMaxAI/MiniMax-M2.7|MiniMax-M2.7|204800|131072|r|0.3 1.2 0.06
MiniMaxAI/MiniMax-M3|MiniMax-M3|524288|512000|ri|0.3 1.2
MiniMaxAI/MiniMax-M3.1-Flash|MiniMax-M3.1-Flash|1000000|512000|ri|0.15 0.6
moonshotai/Kimi-K2-Instruct|Kimi-K2-Instruct|131072|16384||1 3
moonshotai/Kimi-K2-Instruct-0905|Kimi-K2-Instruct-0905|262144|16384||1 3
moonshotai/Kimi-K2-Thinking|Kimi-K2-Thinking|262144|262144|r|0.6 2.5 0.15
moonshotai/Kimi-K2.5|Kimi-K2.5|262144|262144|ri|0.6 3 0.1
moonshotai/Kimi-K2.6|Kimi-K2.6|262144|262144|ri|0.95 4 0.16
moonshotai/Kimi-K2.7-Code|Kimi K2.7 Code|262144|262144|ri|0.95 4
moonshotai/Kimi-K3|Kimi K3|1000000|131072|ri|3 15
openai/gpt-oss-120b|GPT OSS 120B|131072|32768|r|0.25 0.69
openai/gpt-oss-20b|GPT OSS 20B|131072|32768|r|0.1 0.5
Qwen/Qwen2.5-Coder-32B-Instruct|Qwen2.5-Coder-32B-Instruct|131072|8192||0.06 0.2
Qwen/Qwen3-235B-A22B|Qwen3 235B-A22B|40960|16384|r|0.2 0.8
Qwen/Qwen3-235B-A22B-Instruct-2507|Qwen3 235B-A22B Instruct 2507|262144|16384||0.855 2.565
Qwen/Qwen3-235B-A22B-Thinking-2507|Qwen3-235B-A22B-Thinking-2507|262144|81920|r|0.3 3
Qwen/Qwen3-30B-A3B|Qwen3 30B A3B|40960|16384|r|0.12 0.5
Qwen/Qwen3-32B|Qwen3 32B|131072|16384|r|0.29 0.59
Qwen/Qwen3-8B|Qwen3 8B|40960|32768|r|0.07 0.18
Qwen/Qwen3-Coder-30B-A3B-Instruct|Qwen3-Coder 30B-A3B Instruct|262144|65536||0.07 0.26
Qwen/Qwen3-Coder-480B-A35B-Instruct|Qwen3-Coder-480B-A35B-Instruct|262144|65536||2 2
Qwen/Qwen3-Coder-Next|Qwen3-Coder-Next|262144|65536||0.2 1.5
Qwen/Qwen3-Next-80B-A3B-Instruct|Qwen3-Next-80B-A3B-Instruct|262144|32768||0.25 1
Qwen/Qwen3-VL-235B-A22B-Instruct|Qwen3 VL 235B A22B Instruct|131072|32768|i|0.3 1.5
Qwen/Qwen3-VL-235B-A22B-Thinking|Qwen3 VL 235B A22B Thinking|131072|32768|ri|0.98 3.95
Qwen/Qwen3-VL-30B-A3B-Instruct|Qwen3 VL 30B A3B Instruct|131072|32768|i|0.2 0.7
Qwen/Qwen3.5-122B-A10B|Qwen3.5 122B-A10B|262144|65536|ri|0.4 3.2
Qwen/Qwen3.5-27B|Qwen3.5 27B|262144|65536|ri|0.3 2.4
Qwen/Qwen3.5-35B-A3B|Qwen3.5 35B-A3B|262144|65536|ri|0.25 2
Qwen/Qwen3.5-397B-A17B|Qwen3.5-397B-A17B|262144|32768|ri|0.6 3.6
Qwen/Qwen3.5-9B|Qwen3.5 9B|262144|65536|ri|0.17 0.25
Qwen/Qwen3.6-27B|Qwen3.6 27B|262144|65536|ri|0.47 3.19
Qwen/Qwen3.6-35B-A3B|Qwen3.6 35B-A3B|262144|65536|ri|0.15 0.95
Qwen/Qwen3.8-2.4T-A95B|Qwen3.8 2.4T A95B|262144|131072|r|2.5 6.25
Qwen/Qwen3.8-27B|Qwen3.8 27B|262144|32768|ri|0.4 3
stepfun-ai/Step-3.5-Flash|Step 3.5 Flash|262144|256000|r|0.1 0.3
stepfun-ai/Step-3.7-Flash|Step 3.7 Flash|262144|256000|ri|0.2 1.15
tencent/Hy3|Hy3|262144|128000|r|0.14 0.58
tencent/Hy4-preview|Hy4 preview|1000000|64000|r|0.834 2.501
thinkingmachines/Inkling|Inkling|1048576|1048576|ri|1 4.05
thinkingmachines/Inkling-Small|Inkling Small|524288|1048576|ri|0.5 1.2
XiaomiMiMo/MiMo-V2.5|MiMo-V2.5|262144|131072|r|0.4 2
XiaomiMiMo/MiMo-V2.5-Pro|MiMo-V2.5-Pro|1048576|131072|r|1 3
zai-org/GLM-4.5-Air|GLM-4.5-Air|131072|98304|r|0.13 0.85
zai-org/GLM-4.5V|GLM-4.5V|65536|16384|ri|0.6 1.8
zai-org/GLM-4.6|GLM-4.6|204800|131072|r|0.55 2.2
zai-org/GLM-4.6V-Flash|GLM-4.6V-Flash|131072|32768|ri|0.3 0.9
zai-org/GLM-4.7|GLM-4.7|204800|131072|r|0.6 2.2 0.11
zai-org/GLM-4.7-Flash|GLM-4.7-Flash|200000|128000|r
zai-org/GLM-5|GLM-5|202752|131072|r|1 3.2 0.2
zai-org/GLM-5.1|GLM-5.1|202752|131072|r|1 3.2 0.2
zai-org/GLM-5.2|GLM-5.2|262144|131072|r|1.4 4.4
zai-org/GLM-5.3|GLM-5.3|1048576|131072|r|1.4 4.4
zai-org/GLM-5.3-Flash|GLM-5.3-Flash|1048576|131072|ri|0.15 0.5
`,
  minimax: `
MiniMax-M2.7||204800|131072|r|0.3 1.2 0.06 0.375
MiniMax-M2.7-highspeed||204800|131072|r|0.6 2.4 0.06 0.375
MiniMax-M3||1000000|524288|ri|0.3 1.2 0.06
MiniMax-M3.1-Flash||1000000|524288|ri|0.15 0.6 0.015
`,
  mistral: `
codestral-2508|Codestral 25.08|256000|8192||0.3 0.9 0.03
codestral-latest|Codestral (latest)|256000|4096||0.3 0.9 0.03
deepseek-v4-1-flash-1017|DeepSeek V4.1 Flash 1017|1048576|128000|r|0.3 1.2 0.007
devstral-2512|Devstral 2|262144|262144||0.4 2 0.04
devstral-latest|Devstral 2|262144|262144||0.4 2 0.04
devstral-medium-latest|Devstral 2 (latest)|262144|262144||0.4 2 0.04
glm-5-2|GLM-5.2|1048576|131072|r|1.4 4.4 0.14
labs-devstral-small-2512|Devstral Small 2|256000|256000|i
labs-leanstral-1-5-1|Leanstral 1.5|262144|128000|ri
magistral-medium-latest|Magistral Medium (latest)|262144|16384|ri|2 5 0.2
ministral-14b-2512|Ministral 3 14B|262144|262144|i|0.2 0.2 0.02
ministral-3b-2512|Ministral 3 3B|131072|262144|i|0.1 0.1 0.01
ministral-3b-latest|Ministral 3B (latest)|131072|128000|i|0.1 0.1 0.01
ministral-8b-2512|Ministral 3 8B|262144|262144|i|0.15 0.15 0.015
ministral-8b-latest|Ministral 8B (latest)|262144|128000|i|0.15 0.15 0.015
mistral-large-2512|Mistral Large 3|262144|262144|i|0.5 1.5 0.05
mistral-large-4|Mistral Large 4|1048576|262144|ri|0.7 2.1 0.07
mistral-large-4-0-8|Mistral Large 4.0.8|1048576|262144|ri|0.7 2.1 0.07
mistral-large-latest|Mistral Large (latest)|262144|262144|i|0.5 1.5 0.05
mistral-medium-2505|Mistral Medium 3|131072|131072|i|0.4 2 0.04
mistral-medium-2508|Mistral Medium 3.1|262144|262144|i|0.4 2 0.04
mistral-medium-2604|Mistral Medium 3.5|262144|262144|ri|1.5 7.5 0.15
mistral-medium-3.5|Mistral Medium 3.5|262144|262144|ri|1.5 7.5
mistral-medium-latest|Mistral Medium (latest)|262144|262144|ri|1.5 7.5 0.15
mistral-small-2506|Mistral Small 3.2|128000|16384|i|0.1 0.3 0.01
mistral-small-2603|Mistral Small 4|262144|256000|ri|0.15 0.6 0.015
mistral-small-latest|Mistral Small (latest)|262144|256000|ri|0.15 0.6 0.015
open-mistral-nemo|Open Mistral Nemo|128000|128000||0.15 0.15 0.015
pixtral-12b|Pixtral 12B|128000|128000|i|0.15 0.15 0.015
voxtral-small-2507|Voxtral Small|32768|32000||0.1 0.4 0.01
voxtral-small-latest|Voxtral Small (latest)|32768|32000||0.1 0.4 0.01
zai-glm-5-2|GLM-5.2|1048576|131072|r|1.4 4.4 0.14
zai-glm-5-3|GLM-5.3|1048576|131072|r|1.4 4.4 0.14
zai-glm-5-3-flash|GLM-5.3-Flash|1048576|131072|ri|0.15 0.5 0.03
`,
  moonshotai: `
kimi-k2.6|Kimi K2.6|262144|262144|ri|0.95 4 0.16
kimi-k2.7-code|Kimi K2.7 Code|262144|262144|ri|0.95 4 0.19
kimi-k2.7-code-highspeed|Kimi K2.7 Code HighSpeed|262144|262144|ri|1.9 8 0.38
kimi-k3|Kimi K3|1048576|1048576|ri|3 15 0.3
kimi-k3.1-pro|Kimi K3.1 Pro|1048576|1048576|ri|2 10 0.2
kimi-k3.1-pro-highspeed|Kimi K3.1 Pro Highspeed|1048576|1048576|ri|4 20 0.2
`,
  nvidia: `
deepseek-ai/deepseek-v4.1-flash|DeepSeek V4.1 Flash|1000000|384000|ri
google/diffusiongemma-26b-a4b-it|DiffusionGemma 26B A4B IT|250000|32768|ri
google/gemma-3-12b-it|Gemma 3 12B IT|131072|16384|i
google/gemma-3-4b-it|Gemma 3 4B IT|131072|16384|i
meta/llama-3.2-90b-vision-instruct|Llama-3.2-90B-Vision-Instruct|128000|8192|i
meta/muse-glimmer-30b|Muse Glimmer 30B|131072|131072|ri
minimaxai/minimax-m3.1-flash|MiniMax-M3.1-Flash|262144|262144|ri
mistralai/mistral-7b-instruct-v0.3|Mistral-7B-Instruct-v0.3|65536|65536
moonshotai/kimi-k2.6|Kimi K2.6|262144|262144|ri
nvidia/cosmos-reason2-8b|Cosmos Reason2 8B|131072|16384|ri
nvidia/llama-3.1-nemotron-70b-instruct|Llama 3.1 Nemotron 70B Instruct|128000|8192
nvidia/llama-3.1-nemotron-ultra-253b-v1|Llama 3.1 Nemotron Ultra 253B|128000|16384|r
nvidia/nemotron-3-nano-omni-30b-a3b-reasoning|Nemotron 3 Nano Omni|256000|65536|ri
nvidia/nemotron-3-ultra-550b-a55b|Nemotron 3 Ultra 550B A55B|1000000|65536|r
nvidia/nemotron-3.5-lightning-30b-a3b|Nemotron 3.5 Lightning 30B A3B|262144|262144|r
nvidia/nemotron-3.5-super-vl-120b-a12b|Nemotron 3.5 Super VL 120B A12B|1048576|8192|ri
openai/gpt-oss-20b|GPT OSS 20B|131072|32768|r
poolside/laguna-xs-2.1|Laguna XS 2.1|262144|16384|r
stepfun-ai/step-5-preview|Step 5 Preview|1048576|1048576|ri
z-ai/glm-5.3-flash|GLM-5.3-Flash|1000000|131072|ri
`,
  openai: `
chat-latest|Chat Latest|400000|128000|ri|5 30 0.5
gpt-4|GPT-4|8192|8192||30 60
gpt-4-turbo|GPT-4 Turbo|128000|4096|i|10 30
gpt-4.1|GPT-4.1|1047576|32768|i|2 8 0.5
gpt-4.1-mini|GPT-4.1 mini|1047576|32768|i|0.4 1.6 0.1
gpt-4.1-nano|GPT-4.1 nano|1047576|32768|i|0.1 0.4 0.025
gpt-4o|GPT-4o|128000|16384|i|2.5 10 1.25
gpt-4o-mini|GPT-4o mini|128000|16384|i|0.15 0.6 0.075
gpt-5|GPT-5|400000|128000|ri|1.25 10 0.125
gpt-5-chat-latest|GPT-5 Chat Latest|128000|16384|i|1.25 10 0.125
gpt-5-mini|GPT-5 Mini|400000|128000|ri|0.25 2 0.025
gpt-5-nano|GPT-5 Nano|400000|128000|ri|0.05 0.4 0.005
gpt-5-pro|GPT-5 Pro|400000|128000|ri|15 120
gpt-5.1|GPT-5.1|400000|128000|ri|1.25 10 0.125
gpt-5.2|GPT-5.2|400000|128000|ri|1.75 14 0.175
gpt-5.2-pro|GPT-5.2 Pro|400000|128000|ri|21 168
gpt-5.3-codex|GPT-5.3 Codex|400000|128000|ri|1.75 14 0.175
gpt-5.3-codex-spark|GPT-5.3 Codex Spark|128000|32000|ri|1.75 14 0.175
gpt-5.4|GPT-5.4|272000|128000|ri|2.5 15 0.25
gpt-5.4-mini|GPT-5.4 mini|400000|128000|ri|0.75 4.5 0.075
gpt-5.4-nano|GPT-5.4 nano|400000|128000|ri|0.2 1.25 0.02
gpt-5.4-pro|GPT-5.4 Pro|1050000|128000|ri|30 180
gpt-5.5|GPT-5.5|272000|128000|ri|5 30 0.5
gpt-5.5-pro|GPT-5.5 Pro|1050000|128000|ri|30 180
gpt-5.6-cyber|GPT-5.6 Cyber|400000|128000|ri|12.5 75 1.25 15.625
gpt-5.6-luna|GPT-5.6 Luna|272000|128000|ri|0.2 1.2 0.02 0.25
gpt-5.6-sol|GPT-5.6 Sol|272000|128000|ri|4 20 0.4 5
gpt-5.6-terra|GPT-5.6 Terra|272000|128000|ri|2 12 0.2 2.5
gpt-6-astra|GPT-6 Astra|272000|128000|ri|10 50 1 12.5
gpt-6-luna|GPT-6 Luna|272000|128000|ri|0.1 0.5 0.01 0.125
gpt-6-sol|GPT-6 Sol|272000|128000|ri|2 10 0.2 2.5
gpt-6.1-sol|GPT-6.1 Sol|272000|128000|ri|2 10 0.1 2.5
gpt-6.1-terra|GPT-6.1 Terra|272000|128000|ri|1 5 0.05 1.25
gpt-daybreak-blue-latest|Daybreak Blue|1050000|128000|ri|4 20 0.4 5
gpt-daybreak-red-latest|Daybreak Red|400000|128000|ri|12.5 75 1.25 15.625
o1||200000|100000|ri|15 60 7.5
o1-pro||200000|100000|ri|150 600
o3||200000|100000|ri|2 8 0.5
o3-mini||200000|100000|r|1.1 4.4 0.55
o3-pro||200000|100000|ri|20 80
o4-mini||200000|100000|ri|1.1 4.4 0.275
`,
  opencode: `
claude-fable-5|Claude Fable 5|1000000|128000|ri|10 50 1 12.5
claude-fable-5-1|Claude Fable 5.1|1000000|128000|ri|10 50 0.25 12.5
claude-fable-5-2|Claude Fable 5.2|1000000|128000|ri|8 40 0.2 10
claude-haiku-4-5|Claude Haiku 4.5|200000|64000|ri|1 5 0.1 1.25
claude-haiku-5-5|Claude Haiku 5.5|1000000|128000|ri|0.1 0.5 0.01 0.125
claude-opus-4-5|Claude Opus 4.5|200000|64000|ri|5 25 0.5 6.25
claude-opus-4-6|Claude Opus 4.6|1000000|128000|ri|5 25 0.5 6.25
claude-opus-4-7|Claude Opus 4.7|1000000|128000|ri|5 25 0.5 6.25
claude-opus-4-8|Claude Opus 4.8|1000000|128000|ri|5 25 0.5 6.25
claude-opus-5|Claude Opus 5|1000000|128000|ri|5 25 0.5 6.25
claude-opus-5-5|Claude Opus 5.5|1000000|128000|ri|4 20 0.2 5
claude-sonnet-4-5|Claude Sonnet 4.5|200000|64000|ri|3 15 0.3 3.75
claude-sonnet-4-6|Claude Sonnet 4.6|1000000|64000|ri|3 15 0.3 3.75
claude-sonnet-5|Claude Sonnet 5|1000000|128000|ri|2 10 0.2 2.5
claude-sonnet-5-5|Claude Sonnet 5.5|1000000|128000|ri|2 10 0.1 2.5
qwen3.5-plus|Qwen3.5 Plus|262144|65536|ri|0.2 1.2 0.02 0.25
qwen3.6-plus|Qwen3.6 Plus|262144|65536|ri|0.5 3 0.05 0.625
qwen3.8-flash|Qwen3.8 Flash|1000000|131072|ri|0.15 0.47 0.016 0.2
gemini-3-flash|Gemini 3 Flash|1048576|65536|ri|0.5 3 0.05
gemini-3.1-pro|Gemini 3.1 Pro Preview|1048576|65536|ri|2 12 0.2
gemini-3.5-flash|Gemini 3.5 Flash|1048576|65536|ri|1.5 9 0.15
gemini-3.5-flash-lite|Gemini 3.5 Flash Lite|1048576|65536|ri|0.3 2.5 0.03
gemini-3.6-flash|Gemini 3.6 Flash|1048576|65536|ri|0.75 3.75 0.075
gemini-3.7-flash|Gemini 3.7 Flash|1048576|65536|ri|0.75 3.75 0.075
gemini-3.8-flash|Gemini 3.8 Flash|1048576|65536|ri|0.75 3.75 0.075
gemini-4-argon|Gemini 4 Argon|1048576|65536|ri|2 10 0.1
beam-free|Beam Free|1048576|131072|r
big-pickle|Big Pickle|200000|32000|r
deepseek-v4-pro|DeepSeek V4 Pro|1000000|384000|r|1.74 3.48 0.145
deepseek-v4.1-flash|DeepSeek V4.1 Flash|1000000|384000|ri|0.3 1.2 0.006
deepseek-v4.1-flash-free|DeepSeek V4.1 Flash Free|200000|32000|ri
flint-40b-free|Flint 40B Free|262144|65536|r
glm-5|GLM-5|204800|131072|r|1 3.2 0.2
glm-5.1|GLM-5.1|204800|131072|r|1.4 4.4 0.26
glm-5.2|GLM-5.2|1000000|131072|r|1.4 4.4 0.26
glm-5.3|GLM-5.3|1000000|131072|r|1.4 4.4 0.26
glm-5.3-flash|GLM-5.3-Flash|1000000|131072|ri|0.15 0.5 0.03
glm-5.3-flash-free|GLM-5.3-Flash Free|200000|32000|ri
iceman-free|Iceman Free|262144|131072|r
inkling-2-small-free|Inkling 2 Small Free|1048576|131072|ri
kimi-k2.5|Kimi K2.5|262144|65536|ri|0.6 3 0.1
kimi-k2.6|Kimi K2.6|262144|65536|ri|0.95 4 0.16
kimi-k2.7-code|Kimi K2.7 Code|262144|262144|ri|0.95 4 0.19
kimi-k3|Kimi K3|1048576|131072|ri|3 15 0.3 3
longcat-2.5-free|LongCat 2.5 Free|1000000|262144|ri
mimo-v2.6-flash-free|MiMo-V2.6-Flash Free|200000|32000|ri
minimax-m2.5|MiniMax-M2.5|204800|131072|r|0.3 1.2 0.06
minimax-m2.7|MiniMax-M2.7|204800|131072|r|0.3 1.2 0.06
minimax-m3|MiniMax-M3|512000|128000|ri|0.3 1.2 0.06
minimax-m3.1-flash-free|MiniMax M3.1 Flash Free|1000000|512000|ri
mistral-large-4|Mistral Large 4|524288|262144|ri|0.68 2.09 0.07
nemotron-3.5-lightning-free|Nemotron 3.5 Lightning Free|262144|262144|r
nemotron-3.5-super-vl-free|Nemotron 3.5 Super VL Free|1048576|131072|ri
qwen3.8-max|Qwen3.8 Max|262144|131072|ri|2 6 0.25 2.5
gpt-5|GPT-5|400000|128000|ri|1.07 8.5 0.107
gpt-5-codex|GPT-5 Codex|400000|128000|ri|1.07 8.5 0.107
gpt-5-nano|GPT-5 Nano|400000|128000|ri|0.05 0.4 0.005
gpt-5.1|GPT-5.1|400000|128000|ri|1.07 8.5 0.107
gpt-5.1-codex|GPT-5.1 Codex|400000|128000|ri|1.07 8.5 0.107
gpt-5.1-codex-max|GPT-5.1 Codex Max|400000|128000|ri|1.25 10 0.125
gpt-5.1-codex-mini|GPT-5.1 Codex Mini|400000|128000|ri|0.25 2 0.025
gpt-5.2|GPT-5.2|400000|128000|ri|1.75 14 0.175
gpt-5.2-codex|GPT-5.2 Codex|400000|128000|ri|1.75 14 0.175
gpt-5.3-codex|GPT-5.3 Codex|400000|128000|ri|1.75 14 0.175
gpt-5.4|GPT-5.4|272000|128000|ri|2.5 15 0.25
gpt-5.4-mini|GPT-5.4 Mini|400000|128000|ri|0.75 4.5 0.075
gpt-5.4-nano|GPT-5.4 Nano|400000|128000|ri|0.2 1.25 0.02
gpt-5.4-pro|GPT-5.4 Pro|1050000|128000|ri|30 180 30
gpt-5.5|GPT-5.5|1050000|128000|ri|5 30 0.5
gpt-5.5-pro|GPT-5.5 Pro|1050000|128000|ri|30 180 30
gpt-5.6-luna|GPT-5.6 Luna|1050000|128000|ri|0.2 1.2 0.02 0.25
gpt-5.6-sol|GPT-5.6 Sol|1050000|128000|ri|4 20 0.4 5
gpt-5.6-terra|GPT-5.6 Terra|1050000|128000|ri|2 12 0.2 2.5
gpt-6-astra|GPT-6 Astra|1050000|128000|ri|10 50 1 12.5
gpt-6-luna|GPT-6 Luna|1050000|128000|ri|0.1 0.5 0.01 0.125
gpt-6-sol|GPT-6 Sol|1050000|128000|ri|2 10 0.2 2.5
gpt-6.1-sol|GPT-6.1 Sol|1050000|128000|ri|2 10 0.1 2.5
grok-4.5|Grok 4.5|500000|500000|ri|2 6 0.3
grok-4.6|Grok 4.6|500000|500000|ri|2 6 0.5
grok-4.7|Grok 4.7|500000|500000|ri|2 6 0.5
grok-build-0.1|Grok Build 0.1|256000|256000|ri|1 2 0.2
muse-ember-1.0|Muse Ember 1.0|1048576|270000|ri|0.1 0.5 0.004
muse-spark-1.2|Muse Spark 1.2|1048576|131072|ri|1.25 4.25 0.15
muse-spark-1.3|Muse Spark 1.3|1048576|131072|ri|1.25 4.25 0.15
muse-wonder-1.0|Muse Wonder|1048576|131072|ri|4 20 0.2
`,
  "qwen-token-plan": `
deepseek-v3.2|DeepSeek V3.2|131072|65536|r
deepseek-v4-flash|DeepSeek V4 Flash|1000000|384000|r
deepseek-v4-flash-0731|DeepSeek V4 Flash 0731|1000000|384000|r
deepseek-v4-pro|DeepSeek V4 Pro|1000000|384000|r
deepseek-v4-pro-0813|DeepSeek V4 Pro 0813|1000000|384000|r
deepseek-v4.1-flash|DeepSeek V4.1 Flash|1000000|384000|ri
deepseek-v4.1-flash-1017|DeepSeek V4.1 Flash 1017|1000000|384000|ri
glm-5|GLM-5|202752|16384|r
glm-5.1|GLM-5.1|202752|128000|r
glm-5.2|GLM-5.2|1000000|131072|r
glm-5.3|GLM-5.3|1000000|131072|r
kimi-k2.5|Kimi K2.5|262144|98304|ri
kimi-k2.6|Kimi K2.6|262144|262144|ri
kimi-k2.7-code|Kimi K2.7 Code|262144|262144|ri
MiniMax-M2.5||196608|32768|r
qwen3.6-flash|Qwen3.6 Flash|1000000|65536|ri
qwen3.6-plus|Qwen3.6 Plus|1000000|65536|ri
qwen3.7-max|Qwen3.7 Max|1000000|131072|r
qwen3.7-plus|Qwen3.7 Plus|1000000|65536|ri
qwen3.8-flash|Qwen3.8 Flash|1000000|131072|ri
qwen3.8-max|Qwen3.8 Max|1000000|131072|ri
`,
  together: `
deepseek-ai/DeepSeek-V4-Pro-0813|DeepSeek V4 Pro 0813|1048576|384000|r|1.32 3.96 0.13
deepseek-ai/DeepSeek-V4.1-Flash|DeepSeek V4.1 Flash|1048576|384000|ri|0.3 1.2 0.006
meta-models/Muse-Spark-Open-816B-A42B|Muse Spark Open|1048576|131072|ri|1.25 4.25 0.15
MiniMaxAI/MiniMax-M3|MiniMax-M3|524288|524288|ri|0.3 1.2 0.06
moonshotai/Kimi-K3|Kimi K3|1048576|131072|ri|3 15 0.3
moonshotai/Kimi-K3.1-Pro|Kimi K3.1 Pro|1048576|131072|ri|2 10 0.2
nvidia/NVIDIA-Nemotron-3.5-Super-VL|Nemotron 3.5 Super VL 120B A12B|262144|262144|ri|0.15 0.5 0.02
openai/gpt-oss-120b|GPT OSS 120B|131072|131072|r|0.15 0.6
Qwen/Qwen3.5-9B|Qwen3.5 9B|262144|65536|ri|0.17 0.25
Qwen/Qwen3.6-Plus|Qwen3.6 Plus|1000000|65536|r|0.5 3
Qwen/Qwen3.7-Max|Qwen3.7 Max|1000000|131072|r|2.5 7.5 0.5
reflection/Beam-1.0-501B-A23B|Beam 1.0 501B A23B|1048576|131072|r|0.4 1.2 0.04
thinkingmachines/Inkling|Inkling|524288|131072|ri|1 4.05 0.17
zai-org/GLM-5.2|GLM-5.2|1048575|164000|r|1.4 4.4 0.26
zai-org/GLM-5.3|GLM-5.3|1048575|262144|r|1.4 4.4 0.26
zai-org/GLM-5.3-Flash|GLM-5.3-Flash|1048575|400000|ri|0.15 0.5 0.03
`,
  xai: `
grok-4.3|Grok 4.3|1000000|30000|ri|1.25 2.5 0.2
grok-4.5|Grok 4.5|500000|500000|ri|2 6 0.3
grok-4.6|Grok 4.6|500000|500000|ri|2 6 0.5
grok-4.7|Grok 4.7|500000|500000|ri|2 6 0.5
`,
  zai: `
glm-4.7|GLM-4.7|204800|131072|r|0.6 2.2 0.11
glm-5-turbo|GLM-5-Turbo|200000|131072|r|1.2 4 0.24
glm-5.2|GLM-5.2|1000000|131072|r|1.4 4.4 0.26
glm-5.2-highspeed|GLM-5.2 Highspeed|1000000|131072|r
glm-5.3|GLM-5.3|1000000|131072|r|1.4 4.4 0.26
glm-5.3-flash|GLM-5.3-Flash|1000000|131072|ri|0.15 0.5 0.03
glm-5.3-highspeed|GLM-5.3 Highspeed|1000000|131072|r
`,
};
