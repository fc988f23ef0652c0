import { readStored, writeStored } from '../../stored-text.ts'

/** A sound: pitches in hertz, one after another. */
const TONES = { matched: [880, 1_320], doubt: [330] } as const

const TONE_SECONDS = 0.09
const VOLUME = 0.2

const STORAGE_KEY = 'cardstock.scanSounds'

/** Sounds of scanning, which can be heard without looking at the screen. */
export type ScanSounds = { play(sound: keyof typeof TONES): void; close(): void }

/** Opens the sounds after a click: browsers mute pages that start to play without one. */
export function openScanSounds(): ScanSounds {
  const context = new AudioContext()
  return {
    play(sound) {
      if (!areSoundsOn()) return
      // A phone may suspend the audio, for example after a call.
      void context.resume()
      for (const [index, pitch] of TONES[sound].entries()) {
        playTone(context, pitch, context.currentTime + index * TONE_SECONDS)
      }
    },
    close: () => void context.close(),
  }
}

function playTone(context: AudioContext, pitch: number, at: number): void {
  const [tone, volume] = [context.createOscillator(), context.createGain()]
  tone.frequency.value = pitch
  volume.gain.setValueAtTime(VOLUME, at)
  // An abrupt end would be audible as a click.
  volume.gain.exponentialRampToValueAtTime(0.001, at + TONE_SECONDS)
  tone.connect(volume).connect(context.destination)
  tone.start(at)
  tone.stop(at + TONE_SECONDS)
}

export function areSoundsOn(): boolean {
  return readStored(STORAGE_KEY) !== 'off'
}

export function setSounds(isOn: boolean): void {
  writeStored(STORAGE_KEY, isOn ? 'on' : 'off')
}
