import type { ChatKind } from './channel-kinds.ts'
import {
  alertLine,
  type ChannelMessage,
  conditionSentence,
  type MessageLinks,
  messageUrl,
  testTitle,
} from './channel-message.ts'

/** Request with a message to a chat or push service. */
export type ChannelPayload = { url: string; body: object }

/** A message with its id. Repeats have the same id. */
export type RenderInput = {
  id: string
  message: ChannelMessage
  links: MessageLinks
  isTest: boolean
}

/** Renders a message in the format of a kind of chat. */
export function renderChat(kind: ChatKind, address: string, input: RenderInput): ChannelPayload {
  return CHATS[kind](address, input)
}

const CHATS: Record<ChatKind, (address: string, input: RenderInput) => ChannelPayload> = {
  ntfy: renderNtfy,
  discord: renderDiscord,
  slack: renderSlack,
}

/** Renders the JSON for ntfy, to be sent to the URL of its topic. A repeated message replaces the earlier one. */
function renderNtfy(address: string, { id, message, links, isTest }: RenderInput): ChannelPayload {
  const url = new URL(address)
  const [, base = '/', topic = ''] = /^(.*\/)([^/]+)$/.exec(url.pathname) ?? []
  url.pathname = base
  return {
    url: url.href,
    body: {
      topic,
      title: testTitle(message, isTest),
      message: messageText(message, NTFY_CHARACTERS_MAX),
      click: messageUrl(message, links),
      sequence_id: id,
      actions: [{ action: 'view', label: 'Unsubscribe', url: links.unsubscribeUrl }],
    },
  }
}

/** Renders the JSON of a Discord webhook, in which the name of a card cannot mention anybody. */
function renderDiscord(
  address: string,
  { id, message, links, isTest }: RenderInput,
): ChannelPayload {
  return {
    url: address,
    body: {
      embeds: [
        {
          title: testTitle(message, isTest),
          url: messageUrl(message, links),
          description: `${messageText(message, DISCORD_CHARACTERS_MAX)}\n\n[Unsubscribe](${links.unsubscribeUrl})`,
          footer: { text: id },
        },
      ],
      allowed_mentions: { parse: [] },
    },
  }
}

/** Renders the JSON of a Slack webhook. */
function renderSlack(address: string, { id, message, links, isTest }: RenderInput): ChannelPayload {
  const title = testTitle(message, isTest)
  const text = escapeSlack(messageText(message, SLACK_CHARACTERS_MAX))
  const section = (content: string) => ({ type: 'mrkdwn', text: content })
  return {
    url: address,
    body: {
      text: escapeSlack(title),
      blocks: [
        {
          type: 'section',
          text: section(`*<${messageUrl(message, links)}|${escapeSlack(title)}>*\n${text}`),
        },
        {
          type: 'context',
          elements: [section(`${id} · <${links.unsubscribeUrl}|Unsubscribe>`)],
        },
      ],
    },
  }
}

/** Renders the data for the service worker (src/web/service-worker.js). */
export function renderPush({ id, message, links, isTest }: RenderInput): string {
  return JSON.stringify({
    id,
    title: testTitle(message, isTest),
    body: messageText(message, PUSH_CHARACTERS_MAX),
    url: messageUrl(message, links),
    unsubscribe: links.unsubscribeUrl,
  })
}

/** Returns the text below the title: the condition of a single alert, or the lines of a digest. */
function messageText(message: ChannelMessage, charactersMax: number): string {
  const [first] = message.alerts
  if (message.total === 1 && first !== undefined) return conditionSentence(first)
  const lines: string[] = []
  let characters = 0
  for (const alert of message.alerts) {
    const line = alertLine(alert)
    characters += line.length + 1
    if (characters > charactersMax) break
    lines.push(line)
  }
  const rest = message.total - lines.length
  return [...lines, ...(rest > 0 ? [`And ${rest} more.`] : [])].join('\n')
}

/** Below 4,096 bytes, 4,096 and 3,000 characters, and what an encrypted message can hold. */
const NTFY_CHARACTERS_MAX = 1_000
const DISCORD_CHARACTERS_MAX = 3_500
const SLACK_CHARACTERS_MAX = 2_500
const PUSH_CHARACTERS_MAX = 500

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
