package deploy_test

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

const kubernetes = "../kubernetes"

// manifests are what kustomize makes of the folder, and the form of the secret.
type manifests struct {
	deployment appsv1.Deployment
	service    corev1.Service
	policy     networkingv1.NetworkPolicy
	budget     policyv1.PodDisruptionBudget
	secret     corev1.Secret
}

func TestEveryManifestHasOnlyMembersThatKubernetesKnows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(kubernetes + "/*.yaml")
	if err != nil || len(files) < 6 {
		t.Fatalf("got %v, %v, want the manifests", files, err)
	}
	var m manifests
	for _, file := range files {
		if filepath.Base(file) == "kustomization.yaml" {
			continue // kustomize itself is strict with it, see load
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m.decode(t, file, data)
	}
}

func TestEverySelectorMatchesThePods(t *testing.T) {
	t.Parallel()
	m := load(t)
	pod := labels.Set(m.deployment.Spec.Template.Labels)
	for what, selector := range map[string]*metav1.LabelSelector{
		"deployment":        m.deployment.Spec.Selector,
		"service":           {MatchLabels: m.service.Spec.Selector},
		"network policy":    &m.policy.Spec.PodSelector,
		"disruption budget": m.budget.Spec.Selector,
		"spread over hosts": m.deployment.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector,
	} {
		s, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil || s.Empty() || !s.Matches(pod) {
			t.Errorf("%s: selector %v does not match the pods' labels %v (%v)", what, selector, pod, err)
		}
	}
}

func TestEveryPortIsOneOfTheContainers(t *testing.T) {
	t.Parallel()
	m := load(t)
	c := container(t, m)
	known := func(port intstr.IntOrString) bool {
		return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool {
			return p.Name == port.StrVal && port.Type == intstr.String || p.ContainerPort == port.IntVal
		})
	}
	ports := map[string]intstr.IntOrString{
		"service":         m.service.Spec.Ports[0].TargetPort,
		"network policy":  *m.policy.Spec.Ingress[0].Ports[0].Port,
		"start probe":     c.StartupProbe.HTTPGet.Port,
		"liveness probe":  c.LivenessProbe.HTTPGet.Port,
		"readiness probe": c.ReadinessProbe.HTTPGet.Port,
	}
	for what, port := range ports {
		if !known(port) {
			t.Errorf("%s: port %v is not one of %v", what, port, c.Ports)
		}
	}
}

func TestProbesAskTheRightQuestions(t *testing.T) {
	t.Parallel()
	c := container(t, load(t))
	for _, p := range []struct {
		what  string
		probe *corev1.Probe
		want  string
	}{
		// A database that is away must not get the process killed: it answers from memory.
		{"start", c.StartupProbe, "/livez"},
		{"liveness", c.LivenessProbe, "/livez"},
		{"readiness", c.ReadinessProbe, "/readyz"},
	} {
		if got := p.probe.HTTPGet.Path; got != p.want {
			t.Errorf("%s probe: got %q, want %q", p.what, got, p.want)
		}
	}
}

func TestAnUpdateLosesNoRequest(t *testing.T) {
	t.Parallel()
	m := load(t)
	if got := m.deployment.Spec.Replicas; got == nil || *got < 2 {
		t.Errorf("replicas: got %v, want 2 or more", got)
	}
	if got := m.deployment.Spec.Strategy.RollingUpdate; got == nil || got.MaxUnavailable.IntValue() != 0 {
		t.Errorf("rolling update: got %+v, want none unavailable", got)
	}
	if got := m.budget.Spec.MaxUnavailable; got == nil || got.IntValue() != 1 {
		t.Errorf("disruption budget: got %v unavailable, want 1", got)
	}
	pod := m.deployment.Spec.Template.Spec
	c := container(t, m)
	i := slices.IndexFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == "SKILLREGISTRY_SHUTDOWN_DELAY" })
	if i < 0 {
		t.Fatal("SKILLREGISTRY_SHUTDOWN_DELAY is not set, want time in which callers go elsewhere")
	}
	delay, err := time.ParseDuration(c.Env[i].Value)
	if noticed := time.Duration(c.ReadinessProbe.PeriodSeconds) * time.Second; err != nil || delay < noticed {
		t.Errorf("delay before the stop: got %v, %v, want %v or more, in which a probe asks", delay, err, noticed)
	}
	grace := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second
	const shutdown = 10 * time.Second // SKILLREGISTRY_SHUTDOWN_TIMEOUT
	if grace <= delay+shutdown {
		t.Errorf("time to stop: got %v with a delay of %v, want more than the delay and %v", grace, delay, shutdown)
	}
}

func TestThePodMayDoNothingThatItNeedNot(t *testing.T) {
	t.Parallel()
	m := load(t)
	pod, c := m.deployment.Spec.Template.Spec, container(t, m)
	for what, good := range map[string]bool{
		"no token of the cluster":     is(pod.AutomountServiceAccountToken, false),
		"not root":                    is(pod.SecurityContext.RunAsNonRoot, true) && is(pod.SecurityContext.RunAsUser, 65532),
		"system calls as usual":       pod.SecurityContext.SeccompProfile.Type == corev1.SeccompProfileTypeRuntimeDefault,
		"no more privileges":          is(c.SecurityContext.AllowPrivilegeEscalation, false),
		"read-only root file system":  is(c.SecurityContext.ReadOnlyRootFilesystem, true),
		"no capabilities":             slices.Equal(c.SecurityContext.Capabilities.Drop, []corev1.Capability{"ALL"}) && len(c.SecurityContext.Capabilities.Add) == 0,
		"a limit of memory":           !c.Resources.Limits.Memory().IsZero(),
		"traffic limited in and out":  len(m.policy.Spec.PolicyTypes) == 2,
		"nothing of the host's":       !pod.HostNetwork && !pod.HostPID && !pod.HostIPC,
		"read-only mounts of secrets": len(c.VolumeMounts) == 1 && c.VolumeMounts[0].ReadOnly,
	} {
		if !good {
			t.Errorf("the pod breaks: %s", what)
		}
	}
}

func TestThePodReachesNamesAndPostgreSQLOnly(t *testing.T) {
	t.Parallel()
	var out []string
	for _, rule := range load(t).policy.Spec.Egress {
		if len(rule.Ports) == 0 {
			out = append(out, "every port") // which is what none means
		}
		for _, p := range rule.Ports {
			to := "every port"
			if p.Port != nil {
				to = p.Port.String()
			}
			if p.EndPort != nil {
				to += fmt.Sprintf(" to %d", *p.EndPort)
			}
			out = append(out, fmt.Sprintf("%s %s", *p.Protocol, to))
		}
	}
	if want := []string{"UDP 53", "TCP 53", "TCP 5432"}; !slices.Equal(out, want) {
		t.Errorf("the pod may connect to %q, want %q", out, want)
	}
}

func TestThePodsCollectorKnowsItsLimitOfMemory(t *testing.T) {
	t.Parallel()
	c := container(t, load(t))
	i := slices.IndexFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == memoryLimit })
	if i < 0 {
		t.Fatalf("%s is not set, want less than the limit of memory", memoryLimit)
	}
	checkMemoryLimit(t, c.Env[i].Value, c.Resources.Limits.Memory().Value())
}

func TestThePodsSettingsExistAndItsSecretsAreFiles(t *testing.T) {
	t.Parallel()
	m := load(t)
	pod, c, known := m.deployment.Spec.Template.Spec, container(t, m), settings(t)
	if got := pod.Volumes[0].Secret.SecretName; got != m.secret.Name || c.VolumeMounts[0].Name != pod.Volumes[0].Name {
		t.Errorf("secret: the pod mounts %q, and the example's name is %q", got, m.secret.Name)
	}
	for _, e := range c.Env {
		if !known[e.Name] && e.Name != memoryLimit {
			t.Errorf("%s is set, but README.md knows no such setting", e.Name)
		}
		if slices.Contains(secretSettings, e.Name) {
			t.Errorf("%s stands in the environment, want its file", e.Name)
		}
		if !strings.HasSuffix(e.Name, "_FILE") {
			continue
		}
		dir, key := path.Split(e.Value)
		if _, has := m.secret.StringData[key]; path.Clean(dir) != c.VolumeMounts[0].MountPath || !has {
			t.Errorf("%s: %q is no key of the secret in %s", e.Name, e.Value, c.VolumeMounts[0].MountPath)
		}
	}
}

func TestTheSecretsFormCanNotBeAppliedByAccident(t *testing.T) {
	t.Parallel()
	m := load(t)
	if got := m.secret.StringData["admin-key"]; got != "" {
		t.Errorf("admin key: got %q, want none", got)
	}
	data, err := os.ReadFile(kubernetes + "/kustomization.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var k struct{ Resources []string }
	if err := yaml.Unmarshal(data, &k); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(k.Resources, "secret.example.yaml") {
		t.Error("kustomization.yaml applies the form")
	}
}

func load(t *testing.T) manifests {
	t.Helper()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), kubernetes)
	if err != nil {
		t.Fatal(err)
	}
	var m manifests
	for _, r := range made.Resources() {
		data, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		m.decode(t, "kustomize: "+r.GetKind(), data)
	}
	data, err := os.ReadFile(kubernetes + "/secret.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m.decode(t, "secret.example.yaml", data)
	return m
}

// decode takes one manifest, strictly, into the member of its kind.
func (m *manifests) decode(t *testing.T, name string, data []byte) {
	t.Helper()
	var meta metav1.TypeMeta
	if err := yaml.Unmarshal(data, &meta); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	into, ok := map[string]any{
		"apps/v1 Deployment":                 &m.deployment,
		"v1 Service":                         &m.service,
		"networking.k8s.io/v1 NetworkPolicy": &m.policy,
		"policy/v1 PodDisruptionBudget":      &m.budget,
		"v1 Secret":                          &m.secret,
	}[meta.APIVersion+" "+meta.Kind]
	if !ok {
		t.Fatalf("%s: got %v, which nothing here checks", name, meta)
	}
	// Not yaml.UnmarshalStrict: that takes a member in the wrong case for the right one,
	// and Kubernetes does not.
	asJSON, err := yaml.YAMLToJSONStrict(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	unknown, err := json.UnmarshalStrict(asJSON, into)
	if err != nil || len(unknown) > 0 {
		t.Errorf("%s: %v", name, errors.Join(append(unknown, err)...))
	}
}

func container(t *testing.T, m manifests) corev1.Container {
	t.Helper()
	cs := m.deployment.Spec.Template.Spec.Containers
	if len(cs) != 1 {
		t.Fatalf("got %d containers, want 1", len(cs))
	}
	return cs[0]
}

func is[T comparable](p *T, want T) bool { return p != nil && *p == want }
