import type { SeededRandom } from './random.ts'

/** Words of card names, the most common first. */
export const COMMON_WORDS: readonly string[] = `knight dark shadow storm fire guardian mage master
  ancient spirit warrior light soul flame beast king lord night blade moon star sky sea stone forest
  iron silver golden crystal wild frost thunder mystic demon angel hunter ranger wizard witch queen
  prince captain soldier sentinel champion titan giant wolf bear hawk raven serpent hydra phoenix
  griffin sphinx golem drake wyrm spider scorpion tiger lion fox owl crow shark whale turtle crab
  rider archer monk priest cleric paladin rogue thief assassin duelist gladiator berserker shaman
  druid sorcerer summoner necromancer alchemist engineer pilot mechanic scout agent spy general
  commander admiral emperor empress baron duke noble peasant merchant smith sage oracle prophet seer
  dream nightmare illusion mirage echo whisper scream song hymn chant curse blessing ritual oath vow
  gate tower castle temple shrine ruins cavern canyon valley mountain river lake island swamp desert
  tundra meadow garden grove thicket abyss void chaos order time space gravity energy power force
  strike slash burst wave blast beam ray bolt spark ember ash smoke dust sand ice snow rain wind
  cloud sun dawn dusk twilight midnight eclipse comet meteor nebula galaxy nova quantum cyber mecha
  robot drone turbo hyper ultra mega neo alpha omega prime royal sacred holy divine cursed fallen
  broken forgotten hidden secret lost eternal infinite final first last red blue green black white
  crimson azure emerald violet scarlet obsidian ivory jade amber ruby sapphire diamond pearl bronze
  copper steel chrome glass bone blood venom poison thorn vine root seed flower petal leaf fruit
  feather fang claw horn scale wing tail eye heart hand mask crown helm shield armor sword spear axe
  hammer bow staff wand orb tome scroll map key lantern mirror chain anchor wheel engine portal relic
  totem idol banner drum bell harp flute trap snare ward barrier sanctuary refuge haven outpost
  arena market academy library laboratory factory harbor bridge road trail crossing summit`
  .split(/\s+/)
  .filter((word) => word !== '')

/** Generates invented words, each only once. */
export function createWordGenerator(seededRandom: SeededRandom): () => string {
  const made = new Set<string>(COMMON_WORDS)
  const syllable = () =>
    seededRandom.pick(ONSETS) + seededRandom.pick(VOWELS) + seededRandom.pick(CODAS)
  return () => {
    for (;;) {
      const word = syllable() + syllable() + (seededRandom.happens(0.3) ? syllable() : '')
      if (made.has(word)) continue
      made.add(word)
      return word
    }
  }
}

const ONSETS =
  'b c d f g h j k l m n p r s t v w z br ch cl cr dr fl gl gr kr ph pl qu sh sk st th tr'.split(
    ' ',
  )
const VOWELS = 'a e i o u a e i o ai au ea ee ia io oa ou y é'.split(' ')
const CODAS = ['', '', '', '', ...'n r s l m x th rn nd sk ck ll rk st'.split(' ')]

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
