export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      brands: {
        Row: {
          created_at: string
          id: string
          name: string
          organization_id: string
          slug: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          id?: string
          name: string
          organization_id: string
          slug: string
        }
        Update: {
          created_at?: string
          id?: string
          name?: string
          organization_id?: string
          slug?: string
        }
        Relationships: [
          {
            foreignKeyName: 'brands_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customers: {
        Row: {
          address: string | null
          birth_date: string | null
          company: string | null
          created_at: string
          email: string | null
          first_name: string | null
          id: string
          job_title: string | null
          last_name: string | null
          last_visit_at: string | null
          location_id: string | null
          loyalty_tier_id: string | null
          notes: string | null
          organization_id: string
          phone: string | null
          search_text: string
          sort_name: string
          sort_visit: string
          source: string | null
          tags: string[]
          total_spend: number
          total_visits: number
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          address?: string | null
          birth_date?: string | null
          company?: string | null
          created_at?: string
          email?: string | null
          first_name?: string | null
          id?: string
          job_title?: string | null
          last_name?: string | null
          last_visit_at?: string | null
          location_id?: string | null
          loyalty_tier_id?: string | null
          notes?: string | null
          organization_id: string
          phone?: string | null
          search_text?: never
          sort_name?: never
          sort_visit?: never
          source?: string | null
          tags?: string[]
          total_spend?: number
          total_visits?: number
          updated_at?: string
        }
        Update: {
          address?: string | null
          birth_date?: string | null
          company?: string | null
          created_at?: string
          email?: string | null
          first_name?: string | null
          id?: string
          job_title?: string | null
          last_name?: string | null
          last_visit_at?: string | null
          location_id?: string | null
          loyalty_tier_id?: string | null
          notes?: string | null
          organization_id?: string
          phone?: string | null
          search_text?: never
          sort_name?: never
          sort_visit?: never
          source?: string | null
          tags?: string[]
          total_spend?: number
          total_visits?: number
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'customers_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customers_loyalty_tier_id_fkey'
            columns: ['loyalty_tier_id']
            isOneToOne: false
            referencedRelation: 'loyalty_tiers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customers_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      integration_configs: {
        Row: {
          config: NonNullable<Json>
          created_at: string
          id: string
          integration_type: string
          is_enabled: boolean
          organization_id: string
          secrets: NonNullable<Json>
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          config?: NonNullable<Json>
          created_at?: string
          id?: string
          integration_type: string
          is_enabled?: boolean
          organization_id: string
          secrets?: NonNullable<Json>
          updated_at?: string
        }
        Update: {
          config?: NonNullable<Json>
          created_at?: string
          id?: string
          integration_type?: string
          is_enabled?: boolean
          organization_id?: string
          secrets?: NonNullable<Json>
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'integration_configs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      invitations: {
        Row: {
          accepted_at: string | null
          created_at: string
          email: string
          full_name: string | null
          id: string
          location_ids: string[]
          organization_id: string
          role: string
        }
        ComputedFields: never
        Insert: {
          accepted_at?: string | null
          created_at?: string
          email: string
          full_name?: string | null
          id?: string
          location_ids?: string[]
          organization_id: string
          role: string
        }
        Update: {
          accepted_at?: string | null
          created_at?: string
          email?: string
          full_name?: string | null
          id?: string
          location_ids?: string[]
          organization_id?: string
          role?: string
        }
        Relationships: [
          {
            foreignKeyName: 'invitations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      job_leases: {
        Row: {
          expires_at: string
          holder: string
          name: string
        }
        ComputedFields: never
        Insert: {
          expires_at: string
          holder: string
          name: string
        }
        Update: {
          expires_at?: string
          holder?: string
          name?: string
        }
        Relationships: []
      }
      job_runs: {
        Row: {
          finished_at: string | null
          id: string
          job: string
          organization_id: string | null
          result: NonNullable<Json>
          started_at: string
          status: string
        }
        ComputedFields: never
        Insert: {
          finished_at?: string | null
          id?: string
          job: string
          organization_id?: string | null
          result?: NonNullable<Json>
          started_at?: string
          status?: string
        }
        Update: {
          finished_at?: string | null
          id?: string
          job?: string
          organization_id?: string | null
          result?: NonNullable<Json>
          started_at?: string
          status?: string
        }
        Relationships: [
          {
            foreignKeyName: 'job_runs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      locations: {
        Row: {
          address: string | null
          average_spend_per_guest: number | null
          brand_id: string | null
          city: string | null
          created_at: string
          id: string
          is_active: boolean
          name: string
          organization_id: string
          pms_id: string | null
          timezone: string
        }
        ComputedFields: never
        Insert: {
          address?: string | null
          average_spend_per_guest?: number | null
          brand_id?: string | null
          city?: string | null
          created_at?: string
          id?: string
          is_active?: boolean
          name: string
          organization_id: string
          pms_id?: string | null
          timezone?: string
        }
        Update: {
          address?: string | null
          average_spend_per_guest?: number | null
          brand_id?: string | null
          city?: string | null
          created_at?: string
          id?: string
          is_active?: boolean
          name?: string
          organization_id?: string
          pms_id?: string | null
          timezone?: string
        }
        Relationships: [
          {
            foreignKeyName: 'locations_brand_id_fkey'
            columns: ['brand_id']
            isOneToOne: false
            referencedRelation: 'brands'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'locations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_configs: {
        Row: {
          organization_id: string
          tiers: NonNullable<Json>
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          organization_id: string
          tiers: NonNullable<Json>
          updated_at?: string
        }
        Update: {
          organization_id?: string
          tiers?: NonNullable<Json>
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_configs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: true
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_rules: {
        Row: {
          location_id: string
          min_spend: number
          min_visits: number
          tier_id: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          location_id: string
          min_spend?: number
          min_visits?: number
          tier_id: string
          updated_at?: string
        }
        Update: {
          location_id?: string
          min_spend?: number
          min_visits?: number
          tier_id?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_rules_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'loyalty_rules_tier_id_fkey'
            columns: ['tier_id']
            isOneToOne: false
            referencedRelation: 'loyalty_tiers'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_tiers: {
        Row: {
          created_at: string
          id: string
          name: string
          organization_id: string
          points_multiplier: number
          rank: number
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          id?: string
          name: string
          organization_id: string
          points_multiplier?: number
          rank: number
        }
        Update: {
          created_at?: string
          id?: string
          name?: string
          organization_id?: string
          points_multiplier?: number
          rank?: number
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_tiers_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      organizations: {
        Row: {
          created_at: string
          id: string
          name: string
          slug: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          id?: string
          name: string
          slug: string
        }
        Update: {
          created_at?: string
          id?: string
          name?: string
          slug?: string
        }
        Relationships: []
      }
      profile_locations: {
        Row: {
          location_id: string
          profile_id: string
        }
        ComputedFields: never
        Insert: {
          location_id: string
          profile_id: string
        }
        Update: {
          location_id?: string
          profile_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'profile_locations_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'profile_locations_profile_id_fkey'
            columns: ['profile_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      profiles: {
        Row: {
          created_at: string
          email: string
          full_name: string | null
          id: string
          organization_id: string
          role: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          email: string
          full_name?: string | null
          id: string
          organization_id: string
          role: string
        }
        Update: {
          created_at?: string
          email?: string
          full_name?: string | null
          id?: string
          organization_id?: string
          role?: string
        }
        Relationships: [
          {
            foreignKeyName: 'profiles_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      rate_limits: {
        Row: {
          hits: number
          key: string
          touched_at: string
          window_start: string
        }
        ComputedFields: never
        Insert: {
          hits: number
          key: string
          touched_at: string
          window_start: string
        }
        Update: {
          hits?: number
          key?: string
          touched_at?: string
          window_start?: string
        }
        Relationships: []
      }
      reservations: {
        Row: {
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string | null
          customer_phone: string | null
          external_id: string | null
          id: string
          location_id: string
          notes: string | null
          organization_id: string
          party_size: number
          pms_status: string | null
          reservation_date: string
          reservation_time: string
          search_name: string
          service_date: string
          service_order: string
          source: string
          status: string
          table_name: string | null
          total_amount: number | null
          updated_at: string
          zone_name: string | null
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string | null
          customer_phone?: string | null
          external_id?: string | null
          id?: string
          location_id: string
          notes?: string | null
          organization_id: string
          party_size: number
          pms_status?: string | null
          reservation_date: string
          reservation_time: string
          search_name?: never
          service_date?: never
          service_order?: never
          source?: string
          status?: string
          table_name?: string | null
          total_amount?: number | null
          updated_at?: string
          zone_name?: string | null
        }
        Update: {
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string | null
          customer_phone?: string | null
          external_id?: string | null
          id?: string
          location_id?: string
          notes?: string | null
          organization_id?: string
          party_size?: number
          pms_status?: string | null
          reservation_date?: string
          reservation_time?: string
          search_name?: never
          service_date?: never
          service_order?: never
          source?: string
          status?: string
          table_name?: string | null
          total_amount?: number | null
          updated_at?: string
          zone_name?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'reservations_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'reservations_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'reservations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
    }
    Views: {
      [_ in never]: never
    }
    Functions: {
      acquire_lease: { Args: { p_holder: string; p_name: string; p_seconds: number }; Returns: boolean }
      list_customers: {
        Args: {
          p_after_id?: string
          p_after_key?: string
          p_inactive_since?: string
          p_limit?: number
          p_location?: string
          p_patterns?: string[]
          p_sort?: string
          p_tier?: string
        }
        Returns: {
          address: string | null
          birth_date: string | null
          company: string | null
          created_at: string
          email: string | null
          first_name: string | null
          id: string
          job_title: string | null
          last_name: string | null
          last_visit_at: string | null
          location_id: string | null
          loyalty_tier_id: string | null
          notes: string | null
          organization_id: string
          phone: string | null
          search_text: string
          sort_name: string
          sort_visit: string
          source: string | null
          tags: string[]
          total_spend: number
          total_visits: number
          updated_at: string
        }[]
        SetofOptions: {
          from: '*'
          to: 'customers'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      my_session: { Args: Record<PropertyKey, never>; Returns: Json }
      next_arrivals: {
        Args: { p_limit?: number; p_location?: string; p_now?: string }
        Returns: {
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string | null
          customer_phone: string | null
          external_id: string | null
          id: string
          location_id: string
          notes: string | null
          organization_id: string
          party_size: number
          pms_status: string | null
          reservation_date: string
          reservation_time: string
          search_name: string
          service_date: string
          service_order: string
          source: string
          status: string
          table_name: string | null
          total_amount: number | null
          updated_at: string
          zone_name: string | null
        }[]
        SetofOptions: {
          from: '*'
          to: 'reservations'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      raise_loyalty_tiers: {
        Args: { p_after: string; p_limit: number; p_organization: string }
        Returns: Json
      }
      release_lease: { Args: { p_holder: string; p_name: string }; Returns: undefined }
      save_loyalty_config: { Args: { p_organization: string; p_tiers: Json }; Returns: Json }
      save_loyalty_rules: { Args: { p_location: string; p_rules: Json }; Returns: string }
      service_summary: {
        Args: { p_date?: string; p_location?: string; p_now?: string }
        Returns: {
          covers: number
          hour: number
          location_id: string
          reservations: number
          service_date: string
          status: string
        }[]
      }
      sync_reservations: { Args: { p_location: string; p_rows: Json }; Returns: Json }
      take_rate_limit: { Args: { p_key: string; p_limit: number; p_seconds: number }; Returns: number }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, 'public'>]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    ? (DefaultSchema['Tables'] & DefaultSchema['Views'])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema['Enums']
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums']
    : never = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums'][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums']
    ? DefaultSchema['Enums'][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema['CompositeTypes']
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes']
    : never = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes'][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema['CompositeTypes']
    ? DefaultSchema['CompositeTypes'][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {},
  },
} as const
