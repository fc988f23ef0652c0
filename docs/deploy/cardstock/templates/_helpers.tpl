{{- define "cardstock.labels" -}}
app.kubernetes.io/name: cardstock
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Labels that select the pods of a part: (list $ "server") */}}
{{- define "cardstock.selector" -}}
app.kubernetes.io/name: cardstock
app.kubernetes.io/instance: {{ (first .).Release.Name }}
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{- define "cardstock.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "cardstock.secret" -}}
{{ .Values.existingSecret | default (printf "%s-cardstock" .Release.Name) }}
{{- end }}

{{/* One variable from the Secret: (list $ "APP_SECRET") */}}
{{- define "cardstock.secretVariable" -}}
- name: {{ last . }}
  valueFrom:
    secretKeyRef: { name: {{ include "cardstock.secret" (first .) }}, key: {{ last . }} }
{{- end }}

{{- define "cardstock.bucketVariables" -}}
- name: SNAPSHOTS_URL
  value: {{ .Values.bucket.url | quote }}
- name: AWS_REGION
  value: {{ .Values.bucket.region | quote }}
{{- with ternary (printf "http://%s-bucket:7070" .Release.Name) .Values.bucket.endpoint .Values.bucket.enabled }}
- name: AWS_ENDPOINT_URL
  value: {{ . | quote }}
{{- end }}
{{ include "cardstock.secretVariable" (list . "AWS_ACCESS_KEY_ID") }}
{{ include "cardstock.secretVariable" (list . "AWS_SECRET_ACCESS_KEY") }}
{{- end }}

{{/* Stable addresses of the workers, separated by commas. */}}
{{- define "cardstock.readers" -}}
{{- $name := printf "%s-worker" .Release.Name -}}
{{- range $i := until (int .Values.workers.replicas) -}}
{{- if $i }},{{ end -}}
http://{{ $name }}-{{ $i }}.{{ $name }}:3100
{{- end -}}
{{- end }}

{{/* Security of a pod that runs as this user: 1000 is that of the image of Cardstock. */}}
{{- define "cardstock.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "cardstock.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Spreads the pods of a part over nodes and zones, if there are several. */}}
{{- define "cardstock.spread" -}}
{{- $pods := . -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- topologyKey: {{ $key }}
  maxSkew: 1
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "cardstock.selector" $pods | nindent 6 }}
{{- end }}
{{- end }}
